"""The right encoding, and wrong ones that name a candidate's mistake."""

from collections.abc import Callable

import numpy as np

from course_utils.encoding import sinusoidal_positional_encoding as right


def angles(
    seq_len: int, d_model: int, base: float = 10_000.0, stretch: float = 1.0, start: int = 0
) -> np.ndarray:
    exponents = stretch * np.arange(0, d_model, 2) / d_model
    return np.outer(np.arange(start, start + seq_len), base**-exponents)


def pairs(angles: np.ndarray, even: Callable = np.sin, odd: Callable = np.cos) -> np.ndarray:
    return np.stack([even(angles), odd(angles)], axis=-1).reshape(len(angles), -1)


def by_column(seq_len: int, exponents: np.ndarray) -> np.ndarray:
    angles = np.outer(np.arange(seq_len), 10_000.0**-exponents)
    return np.where(np.arange(len(exponents)) % 2 == 0, np.sin(angles), np.cos(angles))


def _by_position(seq_len: int, exponents: np.ndarray) -> np.ndarray:
    places = np.arange(seq_len)
    angles = np.outer(places, 10_000.0**-exponents)
    return np.where(places[:, None] % 2 == 0, np.sin(angles), np.cos(angles))


def like(x: np.ndarray) -> np.ndarray:
    """Return the encoding of a sentence or a batch, as it is added to `x`."""
    return right(*x.shape[-2:])


def rows(start: int, stop: int, d_model: int) -> np.ndarray:
    return right(stop, d_model)[start:]


def halves(pe: np.ndarray) -> np.ndarray:
    return np.hstack([pe[:, 0::2], pe[:, 1::2]])


def interleaved(pe: np.ndarray) -> np.ndarray:
    sines, cosines = np.hsplit(pe, 2)
    return np.stack([sines, cosines], axis=-1).reshape(pe.shape)


def _floored_factor(seq_len: int, d_model: int) -> np.ndarray:
    omega = np.exp(np.arange(0, d_model, 2) * (-np.log(10_000.0) / d_model // 2))
    return pairs(np.outer(np.arange(seq_len), omega))


WRONG = (
    ("doubled_exponent", lambda n, d: pairs(angles(n, d, stretch=2))),
    ("doubled_exponent", lambda n, d: by_column(n, 2 * np.arange(d) / d)),
    ("halved_exponent", lambda n, d: pairs(angles(n, d, stretch=0.5))),
    ("unpaired", lambda n, d: by_column(n, np.arange(d) / d)),
    ("unpaired", lambda n, d: by_column(n, (np.arange(d) + np.arange(d) % 2) / d)),
    ("exponent_sign", lambda n, d: pairs(angles(n, d, stretch=-1))),
    ("one_frequency", lambda n, d: pairs(angles(n, d, stretch=0))),
    ("precedence", lambda n, d: pairs(np.outer(np.arange(n), np.arange(d // 2) / d / 1e8))),
    ("precedence", lambda n, d: pairs(np.outer(np.arange(n), np.arange(0, d, 2) / d / 1e8))),
    ("floored", lambda n, d: pairs(np.floor(angles(n, d)))),
    ("overwritten", lambda n, d: pairs(angles(n, d), odd=lambda a: np.cos(np.sin(a)))),
    ("stretched", lambda n, d: pairs(angles(n, d, stretch=d / max(d - 2, 1)))),
    ("base", lambda n, d: pairs(angles(n, d, base=1_000.0))),
    ("starts_at_1", lambda n, d: pairs(angles(n, d, start=1))),
    ("starts_at_2", lambda n, d: pairs(angles(n, d, start=2))),
    ("rolled", lambda n, d: np.roll(right(n, d), -1, axis=0)),
    ("swapped", lambda n, d: pairs(angles(n, d), np.cos, np.sin)),
    ("zero_row", lambda n, d: np.where(np.arange(n)[:, None] == 0, 0.0, right(n, d))),
    ("halves", lambda n, d: halves(right(n, d))),
    ("degrees", lambda n, d: pairs(np.radians(angles(n, d)))),
    ("degrees", lambda n, d: pairs(np.degrees(angles(n, d)))),
    ("integer_buffer", lambda n, d: right(n, d).astype(int)),
    ("zeros", lambda n, d: np.zeros((n, d))),
    ("one_row", lambda n, d: np.tile(right(1, d), (n, 1))),
    ("float16_angles", lambda n, d: pairs(angles(n, d).astype(np.float16).astype(float))),
    ("cosine_missing", lambda n, d: pairs(angles(n, d), odd=np.zeros_like)),
    ("sine_missing", lambda n, d: pairs(angles(n, d), even=np.zeros_like)),
    ("sine_only", lambda n, d: pairs(angles(n, d), np.sin, np.sin)),
    ("cosine_only", lambda n, d: pairs(angles(n, d), np.cos, np.cos)),
    ("sign_flipped", lambda n, d: pairs(-angles(n, d))),
    ("sign_flipped", lambda n, d: -right(n, d)),
    ("sign_flipped", lambda n, d: pairs(np.pi - angles(n, d))),
    ("normalised", lambda n, d: pairs(angles(n, d) / n)),
    ("normalised", lambda n, d: pairs(angles(n, d) / max(n - 1, 1))),
    ("even_positions", lambda n, d: _by_position(n, np.repeat(np.arange(0, d, 2) / d, 2))),
    ("even_positions", lambda n, d: _by_position(n, np.arange(d) / d)),
    ("quotient", lambda n, d: pairs((np.arange(n)[:, None] / 1e4) ** (np.arange(0, d, 2) / d))),
    ("floored_exponent", lambda n, d: by_column(n, np.repeat(2 * np.arange(0, d, 2) // d, 2))),
    ("floored_exponent", lambda n, d: by_column(n, 2 * np.arange(d) // d)),
    ("floored_factor", _floored_factor),
)


def close(got: np.ndarray, wanted: np.ndarray, slack: float = 1.0) -> bool:
    """Compare row by row: as near as angles in float32 come, which is less near further down."""
    if got.shape != wanted.shape:
        return False
    return bool((np.abs(got - wanted) <= slack * allowed(len(wanted))).all())


def allowed(seq_len: int) -> np.ndarray:
    return 1e-6 + 3e-7 * np.arange(seq_len)[:, None]
