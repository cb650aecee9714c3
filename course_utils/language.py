"""Every string that a reader sees from the module, in both languages of the course."""

LANGUAGES = ("en", "zh")

_current = "en"


def use_language(code: str) -> None:
    """Choose the language of labels, feedback and errors.

    Parameters
    ----------
    code : {"en", "zh"}
        English, or Simplified Chinese.

    Raises
    ------
    ValueError
        If there is no table for that code.

    Examples
    --------
    >>> use_language("en")
    """
    global _current
    if code not in LANGUAGES:
        raise ValueError(text("error.language", got=repr(code)))
    _current = code


def current_language() -> str:
    """Return the code of the language in use.

    Returns
    -------
    str
        ``"en"`` or ``"zh"``.

    Examples
    --------
    >>> use_language("en")
    >>> current_language()
    'en'
    """
    return _current


def text(key: str, **values: object) -> str:
    """Return one string of the table in the current language.

    Parameters
    ----------
    key : str
        A key of `STRINGS`.
    **values
        What its placeholders stand for.

    Returns
    -------
    str
        The filled string.

    Raises
    ------
    KeyError
        If the key or one of its placeholders is missing.

    Examples
    --------
    >>> text("axis.position")
    'position'
    """
    return STRINGS[key][_current].format(**values)


STRINGS: dict[str, dict[str, str]] = {
    # errors: the argument, the rule, what came, what would do
    "error.language": {
        "en": 'the language must be "en" or "zh"; got {got}',
        "zh": '语言只能是 "en" 或 "zh"，收到的是 {got}',
    },
    "error.integer": {
        "en": "{name} must be a whole number such as {example}; got {got}",
        "zh": "{name} 必须是整数，例如 {example}；收到的是 {got}",
    },
    "error.number": {
        "en": "{name} must be a real number such as {example}; got {got}",
        "zh": "{name} 必须是实数，例如 {example}；收到的是 {got}",
    },
    "error.positive": {
        "en": "{name} must be at least 1; got {got}, try {example}",
        "zh": "{name} 至少为 1；收到的是 {got}，可以试试 {example}",
    },
    "error.even": {
        "en": "{name} must be a positive even integer: each frequency fills two columns "
        "(sine, cosine); got {got}, try {example}",
        "zh": "{name} 必须是正偶数：每个频率占两列（正弦、余弦）；收到的是 {got}，"
        "可以试试 {example}",
    },
    "error.base": {
        "en": "{name} must be finite and at least 1; got {got}, try 10000",
        "zh": "{name} 必须是不小于 1 的有限数；收到的是 {got}，可以试试 10000",
    },
    "error.offset": {
        "en": "{name} must be between -{limit} and {limit}; got {got}, try 1",
        "zh": "{name} 必须在 -{limit} 和 {limit} 之间；收到的是 {got}，可以试试 1",
    },
    "error.dtype": {
        "en": "dtype must be float64, float32 or float16; got {got}, try numpy.float32",
        "zh": "dtype 只能是 float64、float32 或 float16；收到的是 {got}，可以试试 numpy.float32",
    },
    "error.size": {
        "en": "an array of shape {shape} would need {need}, and the limit is 1 GiB: "
        "make {names} smaller",
        "zh": "形状为 {shape} 的数组需要 {need} 内存，上限是 1 GiB：请减小 {names}",
    },
    "error.array": {
        "en": "{name} must be an array of real numbers, such as a list of rows of equal length; "
        "got {got}",
        "zh": "{name} 必须是实数数组，例如由等长的行组成的列表；收到的是 {got}",
    },
    "error.ndim": {
        "en": "{name} must have {rule}; got shape {got}, try shape {example}",
        "zh": "{name} 必须有{rule}；收到的形状是 {got}，可以试试 {example}",
    },
    "ndim.exactly": {
        "en": "exactly {count} axes",
        "zh": "恰好 {count} 个轴",
    },
    "ndim.at_least": {
        "en": "at least {count} axes",
        "zh": "至少 {count} 个轴",
    },
    "error.empty": {
        "en": "{name} must hold at least one number; got shape {got}, make every axis 1 or longer",
        "zh": "{name} 不能是空的；收到的形状是 {got}，每个轴的长度至少为 1",
    },
    "error.finite": {
        "en": "{name} must be finite everywhere; got {got} at {place}, replace it before you call",
        "zh": "{name} 必须处处有限；在 {place} 处收到 {got}，请先把它换掉",
    },
    "error.overflow": {
        "en": "the scores must be finite; got {got} at {place}: the products of q and k are too "
        "large for {dtype}, make q and k smaller",
        "zh": "分数必须是有限数；在 {place} 处得到 {got}：q 与 k 的乘积超出了 {dtype} 的范围，"
        "请把 q 和 k 缩小",
    },
    "error.shape": {
        "en": "{name} must have shape {wanted}; got {got}",
        "zh": "{name} 的形状必须是 {wanted}；收到的是 {got}",
    },
    "error.match": {
        "en": "{name} and {other} must agree in {what}; got shapes {got} and {other_got}",
        "zh": "{name} 和 {other} 的{what}必须一致；收到的形状是 {got} 和 {other_got}",
    },
    "match.width": {"en": "their last axis (the width)", "zh": "最后一个轴（宽度）"},
    "match.keys": {"en": "the number of keys", "zh": "键的个数"},
    "match.batch": {"en": "the axes in front (the batch)", "zh": "前面的轴（批次）"},
    "match.shape": {"en": "shape", "zh": "形状"},
    "error.mask_type": {
        "en": "mask must be boolean, True where a query may look; got {got}, "
        "try causal_mask(seq_len)",
        "zh": "mask 必须是布尔数组，True 表示允许查询看到；收到的是 {got}，"
        "可以试试 causal_mask(seq_len)",
    },
    "error.mask_shape": {
        "en": "mask must broadcast to the shape of the scores {wanted}; got {got}, "
        "try causal_mask({example})",
        "zh": "mask 必须能广播到分数的形状 {wanted}；收到的是 {got}，"
        "可以试试 causal_mask({example})",
    },
    "error.masked_row": {
        "en": "every row must keep at least one key; row {place} is masked from end to end, "
        "let it look at least at itself",
        "zh": "每一行至少要保留一个键；第 {place} 行全被遮住了，请至少让它看到自己",
    },
    "error.axis": {
        "en": "{name} must be an axis of an array with {ndim} axes, from {low} to {high}; "
        "got {got}, try -1",
        "zh": "{name} 必须是这个有 {ndim} 个轴的数组的一个轴，从 {low} 到 {high}；"
        "收到的是 {got}，可以试试 -1",
    },
    "error.index": {
        "en": "{name} must be a row of the weights, from 0 to {high}; got {got}, try 0",
        "zh": "{name} 必须是权重的某一行，从 0 到 {high}；收到的是 {got}，可以试试 0",
    },
    "error.order": {
        "en": "order must hold each of 0 to {high} once; got {got}, try range({count})",
        "zh": "order 必须恰好包含 0 到 {high} 各一次；收到的是 {got}，可以试试 range({count})",
    },
    "error.no_energy": {
        "en": "x and pe must not both be zero everywhere: a share of nothing has no value; "
        "got zeros, try a token that is not zero",
        "zh": "x 和 pe 不能处处都是 0：总量为 0 时没有占比可言；收到的全是 0，请换一个非零的词向量",
    },
    "error.callable": {
        "en": "{name} must be a function, such as {example}; got {got}",
        "zh": "{name} 必须是函数，例如 {example}；收到的是 {got}",
    },
    # axes of pictures
    "axis.position": {"en": "position", "zh": "位置"},
    # pictures: axes, colour bars, panels, and the line of numbers below
    "plot.position": {"en": "position (index)", "zh": "位置（索引）"},
    "plot.dimension": {"en": "dimension (column)", "zh": "维度（列）"},
    "plot.value": {"en": "value (no unit)", "zh": "数值（无单位）"},
    "plot.similarity": {"en": "similarity (largest = 1)", "zh": "相似度（最大值为 1）"},
    "plot.relative": {"en": "similarity (offset 0 = 1)", "zh": "相似度（偏移 0 处为 1）"},
    "plot.offset": {"en": "offset (positions)", "zh": "偏移（位置数）"},
    "plot.query": {"en": "query (row)", "zh": "查询（行）"},
    "plot.key": {"en": "key (column)", "zh": "键（列）"},
    "plot.weight": {"en": "attention weight (share)", "zh": "注意力权重（占比）"},
    "plot.score": {"en": "score (no unit)", "zh": "分数（无单位）"},
    "plot.column": {"en": "column {column}", "zh": "第 {column} 列"},
    "plot.pair": {"en": "pair i = {i}", "zh": "i = {i} 的一对"},
    "plot.cosine": {"en": "cosine (column {column})", "zh": "余弦（第 {column} 列）"},
    "plot.sine": {"en": "sine (column {column})", "zh": "正弦（第 {column} 列）"},
    "readout.image": {
        "en": "image of {rows} by {columns} values from {low} to {high}, mean {mean}",
        "zh": "图像：{rows} × {columns} 个数，从 {low} 到 {high}，平均 {mean}",
    },
    "readout.lines": {
        "en": "lines {lines}, points {points}, y from {low} to {high}, mean {mean}",
        "zh": "{lines} 条线，{points} 个点，y 从 {low} 到 {high}，平均 {mean}",
    },
    "readout.bars": {"en": "bars {values}", "zh": "条形：{values}"},
    "readout.nothing": {"en": "nothing drawn", "zh": "什么也没画"},
}
