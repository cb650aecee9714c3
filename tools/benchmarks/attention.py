"""Attention with its weights returned, against PyTorch's matrix product and softmax."""

import math
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from course_utils.attention import causal_mask, scaled_dot_product_attention
from tools.benchmarks.table import Row, cpu, exponent, ratio

TOKENS = [64, 128, 256, 512, 1024, 2048, 4096]
WIDTH = 64
GOALS = {np.float32: "<= 1.1", np.float64: "< 1"}


def rows(small: bool) -> Iterator[Row]:
    tokens = TOKENS[:4] if small else TOKENS
    theirs = _torch()
    if theirs is None:
        yield Row("attention against PyTorch", "<= 1.1", "torch not installed", "")
    else:
        compared = f"our CPU / CPU of torch's matmul, softmax, matmul; one thread, d_k = {WIDTH}"
        for dtype, goal in GOALS.items():
            for n in tokens:
                qkv = _draw(n, dtype)
                ours = partial(scaled_dot_product_attention, *qkv)
                seconds = cpu(small, ours=ours, theirs=theirs(qkv))
                what = f"attention, {n:,} tokens, {np.dtype(dtype)}"
                yield Row(what, goal, ratio(seconds, "ours", "theirs"), compared)
    for dtype in GOALS:
        for name, mask in (("no mask", None), ("causal mask", causal_mask(tokens[-1]))):
            what = f"peak memory of attention, {tokens[-1]:,} tokens, {np.dtype(dtype)}, {name}"
            peak = _peak(*_draw(tokens[-1], dtype), mask)
            yield Row(what, "<= 1.1", peak, "traced peak without the output / size of the weights")

    sizes = tokens[-4:]
    slope = exponent(small, lambda n: scaled_dot_product_attention(*_draw(n, np.float64)), sizes)
    compared = f"slope of log CPU over log tokens, {sizes[0]:,} to {sizes[-1]:,}; 2 is quadratic"
    yield Row("growth of attention in the tokens", "", slope, compared)


def _draw(n: int, dtype: type) -> list[np.ndarray]:
    return list(np.random.RandomState(42).randn(3, n, WIDTH).astype(dtype))


def _peak(q: np.ndarray, k: np.ndarray, v: np.ndarray, mask: np.ndarray | None) -> float:
    scaled_dot_product_attention(q, k, v, mask)
    tracemalloc.start()
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return (peak - output.nbytes) / weights.nbytes


def _torch() -> Callable[[list[np.ndarray]], Callable[[], object]] | None:
    try:
        import torch
    except ImportError:
        return None
    torch.set_num_threads(1)

    def prepare(qkv: list[np.ndarray]) -> Callable[[], object]:
        q, k, v = map(torch.from_numpy, qkv)

        def attend() -> object:
            weights = torch.softmax(q @ k.mT / math.sqrt(WIDTH), dim=-1)
            return weights @ v, weights

        return attend

    return prepare
