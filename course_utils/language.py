"""Every string that a reader sees from the module, in both languages of the course."""

import reprlib

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
    if not isinstance(code, str) or code not in LANGUAGES:
        try:
            got = "".join(c if c.isprintable() else " " for c in reprlib.repr(code))
        except Exception:
            got = type(code).__name__
        raise ValueError(text("error.language", got=got))
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
    >>> text("plot.position")
    'position (index)'
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
        "zh": "{name} 必须是正偶数：每个频率占两列（正弦、余弦）；收到的是 {got}，改用 {example}",
    },
    "example.either": {"en": "{one} or {other}", "zh": "{one} 或 {other}"},
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
        "zh": "{name} 必须{rule}；收到的形状是 {got}，可以试试 {example}",
    },
    "ndim.exactly": {
        "en": "exactly {count} axes",
        "zh": "恰好有 {count} 个轴",
    },
    "ndim.at_least": {
        "en": "at least {count} axes",
        "zh": "至少有 {count} 个轴",
    },
    "error.empty": {
        "en": "{name} must hold at least one number; got shape {got}, make every axis 1 or longer",
        "zh": "{name} 不能是空的；收到的形状是 {got}，每个轴的长度至少为 1",
    },
    "error.finite": {
        "en": "{name} must be finite everywhere; got {got} at {place}, replace it before you call",
        "zh": "{name} 的每个元素都必须是有限数；{place} 处是 {got}，请先把它换掉",
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
        "en": "mask must be boolean, True where a query may look; got {got}, try "
        "causal_mask(seq_len)",
        "zh": "mask 必须是布尔数组，True 表示查询可以看这个键；收到的是 {got}，"
        "可以试试 causal_mask(seq_len)",
    },
    "error.mask_shape": {
        "en": "mask must broadcast to the shape of the scores {wanted}; got {got}, "
        "try causal_mask({example})",
        "zh": "mask 必须能广播到分数的形状 {wanted}；收到的是 {got}，"
        "可以试试 causal_mask({example})",
    },
    "error.masked_row": {
        "en": "every row must keep at least one key; row {place} is masked from end to end, let "
        "it look at least at itself",
        "zh": "每一行至少要保留一个键；行 {place} 全被遮住了，请至少让它看到自己",
    },
    "error.axis": {
        "en": "{name} must be an axis of an array with {ndim} axes, from {low} to {high}; "
        "got {got}, try -1",
        "zh": "数组有 {ndim} 个轴，{name} 必须是从 {low} 到 {high} 的整数；"
        "收到的是 {got}，可以试试 -1",
    },
    "error.index": {
        "en": "{name} must be a row of the weights, from 0 to {high}; got {got}, try 0",
        "zh": "{name} 必须是权重的行号，从 0 到 {high}；收到的是 {got}，可以试试 0",
    },
    "error.order": {
        "en": "order must hold each of 0 to {high} once; got {got}, try range({count})",
        "zh": "order 必须是 0 到 {high} 的一个置换，每个数恰好出现一次；收到的是 {got}，"
        "可以试试 range({count})",
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
    "error.too_large": {
        "en": "{names} must be small enough for what is measured to stay finite; got {got}, "
        "divide by the largest value first",
        "zh": "{names} 必须足够小，结果才是有限数；得到的是 {got}，请先除以其中最大的值",
    },
    "error.axes": {
        "en": "{name} must be Axes, such as those of plt.subplots(); got {got}",
        "zh": "{name} 必须是 Axes，例如 plt.subplots() 给出的；收到的是 {got}",
    },
    "error.panels": {
        "en": "axes must hold one panel for each pair; got {got} panels for {pairs} pairs",
        "zh": "axes 必须给每个列对一个子图；收到的是 {got} 个子图、{pairs} 个列对",
    },
    "error.text": {
        "en": "{name} must be text, such as {example}; got {got}",
        "zh": "{name} 必须是字符串，例如 {example}；收到的是 {got}",
    },
    "error.tokens": {
        "en": "tokens must be one word for each of the {count} rows and columns; got {got}, try a "
        "list of {count} words",
        "zh": "tokens 必须恰好有 {count} 个词，对应 {count} 行 {count} 列；收到的是 {got}，"
        "可以试试 {count} 个词的列表",
    },
    "error.limit": {
        "en": "{name} must be above 0 and at most 1e300; got {got}, try 1",
        "zh": "{name} 必须大于 0 且不超过 1e300；收到的是 {got}，可以试试 1",
    },
    "error.numbered": {
        "en": "{name} must be whole numbers from 0 to {high}; got {got}, try [0]",
        "zh": "{name} 必须是一组整数，每个从 0 到 {high}；收到的是 {got}，可以试试 [0]",
    },
    "error.by_name": {
        "en": "{name} must be a dictionary with a number for each name, such as {example}; got "
        "{got}",
        "zh": "{name} 必须是字典，给每个名称一个数，例如 {example}；收到的是 {got}",
    },
    "error.integers": {
        "en": "{name} must hold whole numbers, such as [-1, 0, 1]; got {got}",
        "zh": "{name} 必须由整数组成，例如 [-1, 0, 1]；收到的是 {got}",
    },
    "error.buckets": {
        "en": "n_buckets must be at least 2, and for signed offsets even and at least 4; got "
        "{got}, try 32",
        "zh": "n_buckets 至少为 2；区分方向时必须是不小于 4 的偶数；收到的是 {got}，可以试试 32",
    },
    "error.max_distance": {
        "en": "max_distance must be above {exact}, the number of distances with a bucket of their "
        "own; got {got}, try 128",
        "zh": "max_distance 必须大于 {exact}，即各占一个桶的距离的个数；收到的是 {got}，"
        "可以试试 128",
    },
    "error.offset_table": {
        "en": "table must have an odd number of rows, one for each offset from -clip to clip, and "
        "{width} columns as q has; got shape {got}",
        "zh": "table 的行数必须是奇数（从 -clip 到 clip 每个偏移一行），列数必须与 q 相同，"
        "为 {width}；收到的形状是 {got}",
    },
    "error.too_early": {
        "en": "There is no `{name}` yet: first run the cell under “{heading}” that starts with "
        "`{line}`.",
        "zh": "`{name}` 还没有定义：请先运行“{heading}”一节中以 `{line}` 开头的单元格。",
    },
    # checks: the feedback of the exercises
    "check.state.not attempted": {"en": "Not attempted yet", "zh": "尚未作答"},
    "check.state.incorrect": {"en": "Not yet", "zh": "还不对"},
    "check.state.correct": {"en": "Correct", "zh": "正确"},
    "check.told": {"en": "{state}: {message}", "zh": "{state}：{message}"},
    "check.printed": {
        "en": "{message} (What your code printed was set aside: only what it returns counts.)",
        "zh": "{message}（这里不显示你的代码打印的内容：检查只看返回值。）",
    },
    "check.hint.nudge": {"en": "Hint 1: a nudge", "zh": "提示 1：想一想"},
    "check.hint.formula": {"en": "Hint 2: the formula", "zh": "提示 2：公式"},
    "check.hint.code": {"en": "Hint 3: the code", "zh": "提示 3：代码"},
    # checks: what can happen to any candidate
    "check.any.not_attempted": {
        "en": "Replace the `...` with your answer, then run the cell again.",
        "zh": "把 `...` 换成你的答案，再运行一次这个单元格。",
    },
    "check.any.not_callable": {
        "en": "Hand over the function itself, which takes ({wanted}), not what it returns; "
        "got `{got}`.",
        "zh": "请传入函数本身（参数为 {wanted}），而不是它的返回值；收到的是 `{got}`。",
    },
    "check.any.arguments": {
        "en": "Your function must take ({wanted}), in this order; it takes `{got}`.",
        "zh": "你的函数应当依次接受 {wanted} 这些参数；现在它的参数是 `{got}`。",
    },
    "check.any.raised": {
        "en": "Called with {call}, your code stopped with `{name}: {error}`",
        "zh": "用{call}调用时，你的代码报错了：`{name}: {error}`",
    },
    "check.any.shapes": {
        "en": "Called with {call}, your code joins arrays whose shapes do not fit: print both "
        "`.shape`s. NumPy says `{name}: {error}`",
        "zh": "用{call}调用时，你的代码里有两个数组的形状对不上：请打印两者的 `.shape` 看看。"
        "NumPy 的说法是 `{name}: {error}`",
    },
    "check.any.recursion": {
        "en": "Called with {call}, your function calls itself without end: when should it stop?",
        "zh": "用{call}调用时，你的函数不停地调用自己，没有尽头：它在什么时候该停下来？",
    },
    "check.any.too_slow": {
        "en": "Called with {call}, your code was still running after {seconds} seconds and was "
        "stopped: is there a loop that never ends?",
        "zh": "用{call}调用时，你的代码运行了 {seconds} 秒还没有结束，已被中止："
        "是不是有一个停不下来的循环？",
    },
    "call.arguments": {"en": "({arguments})", "zh": " ({arguments}) "},
    "call.array": {"en": "an array of shape {shape}", "zh": "形状为 {shape} 的数组"},
    "check.any.returned_nothing": {
        "en": "Your function returns `None`: did you forget the `return`?",
        "zh": "你的函数返回了 `None`：是不是忘了写 `return`？",
    },
    "check.any.changed_input": {
        "en": "Your function changes the array it is given; work on new arrays instead, "
        "or on a copy.",
        "zh": "你的函数改动了传给它的数组；请改用新的数组，或者先复制一份。",
    },
    "check.any.not_an_array": {
        "en": "An array of real numbers is wanted, or a list of them with rows of equal length; "
        "got `{got}`.",
        "zh": "这里需要一个实数数组，或由等长的行组成的列表；收到的是 `{got}`。",
    },
    "check.any.too_large": {
        "en": "This would fill the memory; a small array is wanted; got `{got}`.",
        "zh": "这会占满内存。这里只需要一个不大的数组；收到的是 `{got}`。",
    },
    "check.any.not_finite": {
        "en": "The number at {place} is not finite: look for a division by zero or an overflow.",
        "zh": "{place} 处的数不是有限数：看看是否除以了零，或者数值溢出了。",
    },
    "check.any.shape": {
        "en": "The shape should be {wanted}; yours is {got}.",
        "zh": "形状应为 {wanted}；你得到的是 {got}。",
    },
    "check.any.rounded": {
        "en": "Your numbers are right but for rounding: return them as they are, and round only "
        "what you print.",
        "zh": "结果是对的，只是做了舍入：请原样返回，只在打印时舍入。",
    },
    "check.any.half_precision": {
        "en": "Your numbers are right but for their type: half precision keeps three digits only. "
        "Return float64 or float32.",
        "zh": "结果是对的，只是存成了半精度，只剩三位有效数字：请返回 float64 或 float32。",
    },
    "check.any.not_understood": {
        "en": "This answer could not be read (`{error}`): an array or a plain number is easiest.",
        "zh": "无法读懂这个答案（`{error}`）：用数组或普通的数字最稳妥。",
    },
    "check.any.not_a_number": {
        "en": "One number is wanted; got `{got}`.",
        "zh": "这里需要一个数；收到的是 `{got}`。",
    },
    "check.any.number_not_finite": {
        "en": "The number is not finite: look for a division by zero or an overflow.",
        "zh": "这个数不是有限数：看看是否除以了零，或者数值溢出了。",
    },
    "check.any.not_a_bool": {
        "en": "Your function should return one `True` or `False`; got `{got}`. {advice}",
        "zh": "你的函数应当返回单独一个布尔值，`True` 或 `False`；收到的是 `{got}`。{advice}",
    },
    "advice.all": {
        "en": "`np.all(...)` makes one of many.",
        "zh": "`np.all(...)` 能把许多个结果合成一个。",
    },
    "advice.and": {"en": "Join them with `and`.", "zh": "请用 `and` 把它们连成一个。"},
    "advice.quotes": {
        "en": "Leave out the quotation marks: `True` is a value, not a word.",
        "zh": "请去掉引号：`True` 是布尔值，不是字符串。",
    },
    "advice.bool": {
        "en": "A comparison gives one, and so does `bool(...)`.",
        "zh": "比较运算的结果就是 `True` 或 `False`，也可以用 `bool(...)` 转换。",
    },
    "check.any.raises_instead": {
        "en": "Your function stops with an `AssertionError`; it should return `False` instead, so "
        "that one can ask it about many candidates.",
        "zh": "你的函数报错了，是 `AssertionError`；它应当返回 `False`，"
        "这样才能用它接着检查别的对象。",
    },
    "check.any.tokens": {
        "en": "`attend` takes all tokens at once, here of shape {wanted}; your code gave it {got}.",
        "zh": "`attend` 一次接受所有词元，这里的形状是 {wanted}；你的代码传给它的是 {got}。",
    },
    # checks: the encoding
    "check.encoding.correct": {
        "en": "It agrees with the formula at every size tried, up to 600 positions: row 0 is "
        "0, 1, 0, 1, … and each next row is the one before it, turned.",
        "zh": "试过的每种大小（最多 600 个位置）都与公式一致：第 0 行是 0、1、0、1……，"
        "之后每一行都由上一行旋转而来。",
    },
    "check.encoding.layout": {
        "en": 'The layout is "interleaved" or "halves"; got `{got}`.',
        "zh": 'layout 只能是 "interleaved" 或 "halves"；收到的是 `{got}`。',
    },
    "check.encoding.ignores_arguments": {
        "en": "Whatever `seq_len` and `d_model` are, your shape is {got}: use the arguments, "
        "not fixed numbers or variables from outside.",
        "zh": "无论 `seq_len` 和 `d_model` 是多少，形状都是 {got}：请使用参数，"
        "不要用写死的数字或函数外面的变量。",
    },
    "check.encoding.transposed": {
        "en": "Your matrix lies on its side: positions run down the rows, dimensions across the "
        "columns. The shape should be {wanted}; yours is {got}.",
        "zh": "你的矩阵行列颠倒了：每个位置占一行，每个维度占一列。形状应为 {wanted}；"
        "你得到的是 {got}。",
    },
    "check.encoding.doubled_exponent": {
        "en": "The length of your slowest wave, divided by 2π, is the square of the right value: "
        "is the exponent doubled? If `i` already runs over the columns 0, 2, 4, …, the exponent is "
        "`i / d_model`.",
        "zh": "你最慢的那个波，波长除以 2π，得到的是应有数值的平方：指数是不是多乘了一个 2？"
        "如果 `i` 已经取 0、2、4……这些列号，指数就是 `i / d_model`。",
    },
    "check.encoding.halved_exponent": {
        "en": "Your exponent is half of the right one, so base 10000 acts like base 100: with the "
        "pair index `i` it is `2 * i / d_model`.",
        "zh": "你的指数只有正确值的一半，于是底数 10000 的效果变成了 100："
        "用列对的索引 `i` 时，指数应为 `2 * i / d_model`。",
    },
    "check.encoding.unpaired": {
        "en": "In your matrix a sine and its cosine have different frequencies. Columns `2 * i` "
        "and `2 * i + 1` are a pair: both take the angle of the even column.",
        "zh": "你的正弦和与它配对的余弦频率不同。第 `2 * i` 列和第 `2 * i + 1` 列组成一个列对："
        "两列都用偶数列的角度。",
    },
    "check.encoding.exponent_sign": {
        "en": "Your frequencies grow from pair to pair, and should fall: divide by the power of "
        "10000, or give the exponent a minus sign.",
        "zh": "你的频率随列对越来越大，而它应当越来越小：请除以 10000 的幂，或给指数加上负号。",
    },
    "check.encoding.swapped_arguments": {
        "en": "Your function takes its arguments the other way round: `seq_len`, the number of "
        "rows, comes first. The shape should be {wanted}; yours is {got}.",
        "zh": "你的函数把两个参数弄反了：`seq_len`（行数）在前。"
        "形状应为 {wanted}；你得到的是 {got}。",
    },
    "check.encoding.one_frequency": {
        "en": "Every pair turns at the same frequency, 1: every exponent is 0. Is there a `//` "
        "where `/` belongs?",
        "zh": "每个列对的频率都是 1：所有指数都是 0。是不是该用 `/` 的地方写成了 `//`？",
    },
    "check.encoding.precedence": {
        "en": "Your angles hardly leave 0: without brackets, `10000 ** 2 * i / d_model` squares "
        "10000 first. Put brackets around the whole exponent.",
        "zh": "你的角度几乎一直是 0：不加括号时，`10000 ** 2 * i / d_model` 会先算 10000 的平方。"
        "请给整个指数加上括号。",
    },
    "check.encoding.floored": {
        "en": "Your angles are whole numbers: `//` cuts off the decimals. Divide with `/`.",
        "zh": "你的角度都是整数：`//` 会去掉小数。请用 `/` 相除。",
    },
    "check.encoding.overwritten": {
        "en": "Your sines are right, and each cosine is taken of the sine, not of the angle: were "
        "the angles overwritten? Keep them in an array of their own.",
        "zh": "正弦都对，但余弦是对正弦值取的，而不是对角度取的：角度是不是被覆盖了？"
        "请把角度单独存在一个数组里。",
    },
    "check.encoding.stretched": {
        "en": "Your slowest frequency is exactly 1/10000: the exponents run all the way to 1. In "
        "the formula they are divided by `d_model`, and stop at `(d_model - 2) / d_model`.",
        "zh": "你最慢的频率恰好是 1/10000：指数一直取到了 1。公式里除以的是 `d_model`，"
        "指数只到 `(d_model - 2) / d_model`。",
    },
    "check.encoding.base": {
        "en": "These are the waves of base {base}; the formula's base is 10000. Look at the "
        "number, and at the logarithm if you took one.",
        "zh": "这是底数为 {base} 的波；公式里的底数是 10000。请检查这个数；如果取了对数，"
        "也请检查对数。",
    },
    "check.encoding.zeros_of_base": {
        "en": "These are the waves of base {base}; the formula's base is 10000. Count the zeros.",
        "zh": "这是底数为 {base} 的波；公式里的底数是 10000。数一数有几个零。",
    },
    "check.encoding.other_log": {
        "en": "These are the waves of base {base}, as another logarithm gives them. "
        "`np.exp` undoes the natural one: `np.log`, not `{log}`.",
        "zh": "这是底数为 {base} 的波，说明用错了对数。"
        "`np.exp` 对应的是自然对数：要用 `np.log`，不是 `{log}`。",
    },
    "check.encoding.log_missing": {
        "en": "These are the waves of base {base}, a power of e: the factor log(10000) is missing "
        "in the exponent.",
        "zh": "这是底数为 {base} 的波，它是 e 的幂：指数里缺了因子 log(10000)。",
    },
    "check.encoding.early_return": {
        "en": "Only {part} filled: does `return` stand inside the loop?",
        "zh": "只填了{part}：`return` 是不是写在循环里面了？",
    },
    "part.first_row": {"en": "row 0 is", "zh": "第 0 行"},
    "part.first_entries": {"en": "the first entries are", "zh": "开头几个元素"},
    "part.first_columns": {"en": "the first columns are", "zh": "开头几列"},
    "part.first_block": {"en": "the first block is", "zh": "第一个块"},
    "check.encoding.one_row_returned": {
        "en": "Only one row comes back, of shape {got}: does `return` stand inside the loop?",
        "zh": "只返回了一行，形状为 {got}：`return` 是不是写在循环里面了？",
    },
    "check.encoding.one_place": {
        "en": "Your shape is {got}, that of one position and one pair at most: the matrix has a "
        "row for each position and two columns for each pair.",
        "zh": "你返回的形状是 {got}，最多只是一个位置上的一个列对：矩阵里每个位置占一行，"
        "每个列对占两列。",
    },
    "check.encoding.empty": {
        "en": "Your result is empty, of shape {got}: was nothing appended, or does `return` stand "
        "inside the loop?",
        "zh": "你的结果是空的，形状为 {got}：是没有往里添加内容，还是 `return` 写在了循环里面？",
    },
    "check.encoding.several_arrays": {
        "en": "You returned {count} arrays; one is wanted, of shape {wanted}, with the sines in "
        "`pe[:, 0::2]` and the cosines in `pe[:, 1::2]`.",
        "zh": "你返回了 {count} 个数组；这里只要一个，形状为 {wanted}，"
        "正弦放在 `pe[:, 0::2]`，余弦放在 `pe[:, 1::2]`。",
    },
    "check.encoding.not_reshaped": {
        "en": "Your shape is {got}, each sine beside its cosine: now `.reshape(seq_len, d_model)`.",
        "zh": "你返回的形状是 {got}，每个正弦旁边就是它的余弦：接下来只差 "
        "`.reshape(seq_len, d_model)`。",
    },
    "check.encoding.stacked_elsewhere": {
        "en": "Your shape is {got}: stack sine and cosine along the last axis, `axis=-1`, and "
        "then `.reshape(seq_len, d_model)`.",
        "zh": "你返回的形状是 {got}：请沿最后一个轴堆叠正弦和余弦（`axis=-1`），"
        "再 `.reshape(seq_len, d_model)`。",
    },
    "check.encoding.outer_d_model": {
        "en": "Whatever `d_model` is, your rows have {got} entries: did you use a `d_model` from "
        "outside the function, or a fixed number?",
        "zh": "无论 `d_model` 是多少，你的每一行都有 {got} 个元素："
        "是不是用了函数外面的 `d_model`，或者写死的数字？",
    },
    "check.encoding.outer_seq_len": {
        "en": "Whatever `seq_len` is, you return {got} rows: did you use a `seq_len` from outside "
        "the function, or a fixed number?",
        "zh": "无论 `seq_len` 是多少，你都返回 {got} 行："
        "是不是用了函数外面的 `seq_len`，或者写死的数字？",
    },
    "check.encoding.starts_at_1": {
        "en": "Your positions start at 1: your row 0 is what row 1 should be. Count from 0, "
        "as `np.arange(seq_len)` does.",
        "zh": "你的位置从 1 开始：你的第 0 行其实是第 1 行应有的内容。"
        "请像 `np.arange(seq_len)` 那样从 0 数起。",
    },
    "check.encoding.starts_at_2": {
        "en": "Your positions start at 2: your row 0 is what row 2 should be. Count from 0, "
        "as `np.arange(seq_len)` does.",
        "zh": "你的位置从 2 开始：你的第 0 行其实是第 2 行应有的内容。"
        "请像 `np.arange(seq_len)` 那样从 0 数起。",
    },
    "check.encoding.rolled": {
        "en": "Your rows are the right ones, but they run 1, 2, 3, …, 0: row 0 belongs on top.",
        "zh": "各行的内容都对，但顺序成了 1、2、3、……、0：第 0 行应当在最上面。",
    },
    "check.encoding.swapped": {
        "en": "Sine and cosine have changed places: even columns (0, 2, …) hold the sine, odd "
        "columns (1, 3, …) the cosine.",
        "zh": "正弦和余弦放反了：偶数列（0、2……）放正弦，奇数列（1、3……）放余弦。",
    },
    "check.encoding.zero_row": {
        "en": "All is right but row 0, which you set to zeros. sin 0 is 0, but cos 0 is 1: row 0 "
        "is 0, 1, 0, 1, …, and padding is masked in the attention instead.",
        "zh": "除了第 0 行被设成全 0，其余都对。sin 0 是 0，但 cos 0 是 1：第 0 行是 "
        "0、1、0、1……；填充（padding）要在注意力里遮住，不在这里处理。",
    },
    "check.encoding.halves": {
        "en": "This is the same encoding in another layout: all sines, then all cosines. The "
        "course interleaves them, sine beside cosine; yours is accepted by "
        '`checks.check_encoding(my_encoding, layout="halves")`.',
        "zh": "这是同一种编码的另一种布局：先放所有正弦，再放所有余弦。"
        "本课程把它们交错排列，正弦旁边是余弦；改用 "
        '`checks.check_encoding(my_encoding, layout="halves")`，你的写法就能通过。',
    },
    "check.encoding.interleaved": {
        "en": "This is the right encoding, but sine and cosine alternate: the layout asked for is "
        "all sines in the first half of the columns, then all cosines.",
        "zh": "编码是对的，但正弦和余弦是交错排列的：这里要求前一半的列全放正弦，后一半全放余弦。",
    },
    "check.encoding.degrees": {
        "en": "Your angles went through a conversion between degrees and radians. `np.sin` takes "
        "radians, and the formula already gives radians: leave the angle as it is.",
        "zh": "你的角度做过角度制与弧度制的换算。`np.sin` 接受弧度，而公式给出的就是弧度："
        "不要换算。",
    },
    "check.encoding.integer_buffer": {
        "en": "Every entry is a whole number: was the matrix made with an integer dtype, which "
        "cuts off the decimals? `np.zeros((seq_len, d_model))` keeps them.",
        "zh": "每个元素都是整数：创建矩阵时是不是用了整数类型？它会截掉小数。"
        "`np.zeros((seq_len, d_model))` 会保留小数。",
    },
    "check.encoding.zeros": {
        "en": "Every entry is 0: the matrix was made and never filled. Where do your values go?",
        "zh": "每个元素都是 0：矩阵建好了，却没有填进内容。赋值的结果存到哪里去了？",
    },
    "check.encoding.one_row": {
        "en": "All your rows are the same: every position gets one vector. The angle needs `pos`, "
        "as a column of shape (seq_len, 1).",
        "zh": "所有行都一样：每个位置得到的是同一个向量。计算角度时要用到 `pos`，写成形状为 "
        "(seq_len, 1) 的一列。",
    },
    "check.encoding.shared_rows": {
        "en": "All your rows are the same, and each is the last one: `[row] * seq_len` is one list "
        "many times over. Make a new row for each, or fill `np.zeros((seq_len, d_model))`.",
        "zh": "所有行都一样，而且都是最后一行：`[row] * seq_len` 只是把同一个列表重复了许多次。"
        "请为每个位置新建一行，或者填写 `np.zeros((seq_len, d_model))`。",
    },
    "check.encoding.float16_angles": {
        "en": "The first rows are right, then the error grows with the position, to {error} at "
        "position {place}, as it does when angles are kept in float16. Compute them in float64, "
        "and make the result narrow last.",
        "zh": "前几行是对的，之后误差随位置增大，到位置 {place} 时已有 {error}："
        "用 float16 存角度就会这样。请用 float64 计算，最后再转成窄类型。",
    },
    "check.encoding.float16_stored": {
        "en": "The formula is right, but the result is kept in float16 and off by {error}: return "
        "float64 or float32.",
        "zh": "公式是对的，但结果存成了 float16，误差达 {error}：请返回 float64 或 float32。",
    },
    "check.encoding.rounded": {
        "en": "The formula is right, but the entries are rounded to {digits} decimals: round what "
        "you print, not what you return.",
        "zh": "公式是对的，但元素被舍入到了 {digits} 位小数：只舍入打印的内容，不要舍入返回值。",
    },
    "check.encoding.cosine_missing": {
        "en": "The sines are right, and the odd columns are still 0: the cosine is missing.",
        "zh": "正弦都对，但奇数列还是 0：缺了余弦。",
    },
    "check.encoding.sine_missing": {
        "en": "The cosines are right, and the even columns are still 0: the sine is missing.",
        "zh": "余弦都对，但偶数列还是 0：缺了正弦。",
    },
    "check.encoding.sine_only": {
        "en": "Both columns of each pair hold the sine: the odd column takes the cosine of the "
        "same angle.",
        "zh": "每个列对的两列都是正弦：奇数列应取同一角度的余弦。",
    },
    "check.encoding.cosine_only": {
        "en": "Both columns of each pair hold the cosine: the even column takes the sine of the "
        "same angle.",
        "zh": "每个列对的两列都是余弦：偶数列应取同一角度的正弦。",
    },
    "check.encoding.sign_flipped": {
        "en": "The waves are right but for a sign: look for a minus in front of the angle, the "
        "sine or the cosine.",
        "zh": "波形是对的，只差一个正负号：看看角度、正弦或余弦前面是否多了负号。",
    },
    "check.encoding.normalised": {
        "en": "Your positions are divided by the length. The formula takes the position itself, "
        "0, 1, 2, …, so that a row does not depend on how long the sentence is.",
        "zh": "你把位置除以了长度。公式用的是位置本身：0、1、2……，"
        "这样某一行的内容就与句子长度无关。",
    },
    "check.encoding.even_positions": {
        "en": "Your sine and cosine alternate from position to position, down the rows. They "
        "alternate across the columns: `pe[:, 0::2]` the sine, `pe[:, 1::2]` the cosine.",
        "zh": "你的正弦和余弦是沿位置（逐行）交替的。它们应当沿列交替："
        "`pe[:, 0::2]` 放正弦，`pe[:, 1::2]` 放余弦。",
    },
    "check.encoding.row_zero": {
        "en": "At size {size}, the first entry that differs is {place}: got {got}, wanted "
        "{wanted}. It breaks the first assertion: row 0 is 0, 1, 0, 1, …",
        "zh": "大小为 {size} 时，第一个不同的元素在 {place}：得到 {got}，应为 {wanted}。"
        "它违反了第一条断言：第 0 行是 0、1、0、1……",
    },
    "check.encoding.rotation": {
        "en": "At size {size}, the first entry that differs is {place}: got {got}, wanted "
        "{wanted}. It breaks the second assertion: row {row} is row {before}, turned by one "
        "position.",
        "zh": "大小为 {size} 时，第一个不同的元素在 {place}：得到 {got}，应为 {wanted}。"
        "它违反了第二条断言：第 {row} 行由第 {before} 行旋转一个位置得到。",
    },
    "hint.encoding.nudge": {
        "en": "Each pair of columns is one clock hand: what is its angle at position `pos`, and "
        "which two numbers say where its tip is?",
        "zh": "每个列对是一根钟表指针：在位置 `pos` 处，它的角度是多少？哪两个数说明针尖在哪里？",
    },
    "hint.encoding.formula": {
        "en": "`pe[pos, 2 * i] = sin(angle)` and `pe[pos, 2 * i + 1] = cos(angle)`, where "
        "`angle = pos / 10000 ** (2 * i / d_model)`",
        "zh": "`pe[pos, 2 * i] = sin(angle)`，`pe[pos, 2 * i + 1] = cos(angle)`，其中 "
        "`angle = pos / 10000 ** (2 * i / d_model)`",
    },
    # checks: row 0
    "wave.sine": {"en": "sine", "zh": "正弦"},
    "wave.cosine": {"en": "cosine", "zh": "余弦"},
    "check.row_zero.correct": {
        "en": "At position 0 every angle is 0: each sine is 0, each cosine is 1.",
        "zh": "在位置 0，所有角度都是 0：每个正弦都是 0，每个余弦都是 1。",
    },
    "check.row_zero.all_zeros": {
        "en": "Half of it is right: sin 0 is 0, but what is cos 0?",
        "zh": "对了一半：sin 0 是 0，那 cos 0 呢？",
    },
    "check.row_zero.swapped": {
        "en": "Sine and cosine have changed places: the even columns, 0, 2, …, hold the sine.",
        "zh": "正弦和余弦放反了：偶数列（0、2……）放的是正弦。",
    },
    "check.row_zero.all_ones": {
        "en": "Half of it is right: cos 0 is 1, but the even columns hold sines, and sin 0 is not "
        "1.",
        "zh": "对了一半：cos 0 是 1，但偶数列放的是正弦，而 sin 0 不是 1。",
    },
    "check.row_zero.halves": {
        "en": "These are the right numbers in another layout, sines first and cosines after: the "
        "course puts each cosine beside its sine.",
        "zh": "数字都对，只是布局不同：先正弦后余弦。本课程把每个余弦放在它的正弦旁边。",
    },
    "check.row_zero.wrong_length": {
        "en": "With `d_model = 8`, row 0 has 8 numbers, one for each column; yours has {got}.",
        "zh": "`d_model = 8` 时，第 0 行有 8 个数，每列一个；你给了 {got} 个。",
    },
    "check.row_zero.wrong_shape": {
        "en": "These are eight numbers, but in an array of shape {got}: a row is one plain list "
        "of eight.",
        "zh": "这里确实有 8 个数，但数组的形状是 {got}：一行就是含有 8 个数的一个列表。",
    },
    "check.row_zero.one_entry": {
        "en": "Column {column} is the first that differs: it holds a {wave} of the angle 0, which "
        "is not {got}.",
        "zh": "从左往右，第一个不对的是第 {column} 列：这里是角度 0 的{wave}，不等于 {got}。",
    },
    "hint.row_zero.nudge": {
        "en": "At position 0, what is the angle of every clock hand?",
        "zh": "在位置 0，每根指针的角度是多少？",
    },
    "hint.row_zero.formula": {
        "en": "`pe[0, 2 * i] = sin(0)` and `pe[0, 2 * i + 1] = cos(0)`",
        "zh": "在位置 0：`pe[0, 2 * i] = sin(0)`，`pe[0, 2 * i + 1] = cos(0)`",
    },
    # checks: the opening prediction
    "check.same_output.correct": {
        "en": "Nothing changes: `dog` asks the same question of the same three words, and a sum "
        "does not care about the order of its terms.",
        "zh": "什么都不变：`dog` 向同样的三个词提出同样的问题，而求和与各项的顺序无关。",
    },
    "check.same_output.a_little": {
        "en": "Not even a little, beyond rounding: `dog` compares itself with the same three words "
        "in both sentences. Where would the position enter the computation?",
        "zh": "除了舍入误差，一点也不变：两个句子里，`dog` 都是和同样的三个词作比较。"
        "位置又能从哪里进入计算呢？",
    },
    "check.same_output.a_lot": {
        "en": "The meaning changes a lot, but the computation does not: `dog` compares itself with "
        "the same three words in both sentences. Where would the position enter?",
        "zh": "意思变了很多，计算却没有变：两个句子里，`dog` 都是和同样的三个词作比较。"
        "位置又能从哪里进入计算呢？",
    },
    "check.same_output.not_a_choice": {
        "en": 'Choose one of "nothing", "a little" and "a lot"; got `{got}`.',
        "zh": '请在 "nothing"（不变）、"a little"（变一点）、"a lot"（变很多）中选一个；'
        "收到的是 `{got}`。",
    },
    "hint.same_output.nudge": {
        "en": "Write down which words `dog` is compared with in each sentence.",
        "zh": "写下每个句子里 `dog` 要和哪些词作比较。",
    },
    "hint.same_output.formula": {
        "en": "The output for `dog` is the sum over all words of `weight(dog, word) * value(word)`",
        "zh": "`dog` 的输出是对所有词求和：`weight(dog, word) * value(word)`",
    },
    # checks: the learner's own detector
    "check.detector.correct": {
        "en": "Your detector accepts the right encoding at every size tried, and no wrong one "
        "slips through.",
        "zh": "试过的每种大小，你的检测函数都接受正确的编码，错误的编码一个也没放过。",
    },
    "check.detector.always_true": {
        "en": "It lets even a matrix of zeros through: does it look at row 0, and at the turn "
        "from each row to the next, with a small tolerance?",
        "zh": "连全 0 的矩阵它都放过了：它有没有检查第 0 行，有没有检查每一行到下一行的旋转，"
        "容差够不够小？",
    },
    "check.detector.inverted": {
        "en": "It says `True` for wrong ones and `False` for the right one: turned round?",
        "zh": "对错误的编码它说 `True`，对正确的却说 `False`：是不是弄反了？",
    },
    "check.detector.accepts_other": {
        "en": "It refuses the right encoding, and accepts a wrong one: {name}. Is that what you "
        "compare with?",
        "zh": "它拒绝了正确的编码，却接受了一种错误的编码：{name}。你是不是在拿它作比较？",
    },
    "check.detector.always_false": {
        "en": "Your detector accepts no encoding at all, not even the right one: print what each "
        "of your two assertions says for it.",
        "zh": "你的检测函数不接受任何编码，连正确的也不接受：对正确的编码，"
        "打印两条断言各自的结果看看。",
    },
    "check.detector.turned_back": {
        "en": "It refuses the right encoding and accepts the one that turns the other way: the "
        "matrix stands on the left of one row, so for all rows at once it is `pe[:-1] @ R.T`.",
        "zh": "它拒绝了正确的编码，却接受了反方向旋转的编码：对单独一行，矩阵写在左边，"
        "所以对所有行一起算时是 `pe[:-1] @ R.T`。",
    },
    "check.detector.one_width": {
        "en": "It works for width {width} only, and fails on a right encoding of shape {got}: take "
        "`d_model` from `pe.shape[1]`.",
        "zh": "它只对宽度 {width} 有效，遇到形状为 {got} 的正确编码就失败了：请从 `pe.shape[1]` "
        "取得 `d_model`。",
    },
    "check.detector.one_length": {
        "en": "It works for {length} positions only, and refuses a right encoding of shape {got}: "
        "take the length from `len(pe)`.",
        "zh": "它只对 {length} 个位置有效，拒绝了形状为 {got} 的正确编码："
        "请用 `len(pe)` 取得长度。",
    },
    "check.detector.too_tight": {
        "en": "It refuses a right encoding of shape {got}: floats that went different ways differ "
        "in the last digits, so compare with `np.allclose(..., rtol=0, atol=1e-9)`, not `==`.",
        "zh": "它拒绝了形状为 {got} 的正确编码：经过不同计算的浮点数，末几位会有差别，"
        "所以请用 `np.allclose(..., rtol=0, atol=1e-9)` 比较，不要用 `==`。",
    },
    "check.detector.rejects": {
        "en": "It refuses a right encoding of shape {got}: which of your two assertions fails "
        "there?",
        "zh": "它拒绝了形状为 {got} 的正确编码：两条断言中哪一条在这里失败了？",
    },
    "check.detector.slipped": {
        "en": "A wrong encoding slips through: {name} (slipped through in all: {count}). {shows}",
        "zh": "有错误的编码没被发现：{name}（没被发现的共 {count} 个）。{shows}",
    },
    "check.detector.raises_instead": {
        "en": "Your detector stops with an `AssertionError`; it should return `False` instead, so "
        "that one can ask it about many matrices.",
        "zh": "你的检测函数报错了，是 `AssertionError`；它应当返回 `False`，"
        "这样才能连续检查许多矩阵。",
    },
    "shows.row_zero": {
        "en": "Row 0 would have shown it: it is not 0, 1, 0, 1, …",
        "zh": "看第 0 行就能发现：它不是 0、1、0、1……",
    },
    "shows.rotation": {
        "en": "Its row 0 is right; turning each row by one position would have shown it.",
        "zh": "它的第 0 行是对的；把每一行旋转一个位置再比较，就能发现。",
    },
    "shows.tolerance": {
        "en": "{shows} Or is your tolerance too wide?",
        "zh": "{shows}或者，是不是容差太大了？",
    },
    "wrong.doubled_exponent": {"en": "a doubled exponent", "zh": "指数多乘了一个 2"},
    "wrong.halved_exponent": {"en": "`i` in place of `2 * i`", "zh": "把 `2 * i` 写成了 `i`"},
    "wrong.unpaired": {"en": "a frequency for each column", "zh": "每一列各用一个频率"},
    "wrong.exponent_sign": {"en": "frequencies that grow", "zh": "频率越来越高"},
    "wrong.one_frequency": {"en": "one frequency for all pairs", "zh": "所有列对共用一个频率"},
    "wrong.precedence": {"en": "an exponent without brackets", "zh": "指数没有加括号"},
    "wrong.floored": {"en": "angles cut to whole numbers", "zh": "角度被取整"},
    "wrong.overwritten": {"en": "cosines of the sines", "zh": "对正弦值取了余弦"},
    "wrong.stretched": {"en": "exponents that run to 1", "zh": "指数一直取到 1"},
    "wrong.base": {"en": "base 1000", "zh": "底数为 1000"},
    "wrong.starts_at_1": {"en": "positions from 1", "zh": "位置从 1 开始"},
    "wrong.starts_at_2": {"en": "positions from 2", "zh": "位置从 2 开始"},
    "wrong.rolled": {"en": "rows in the order 1, 2, …, 0", "zh": "行的顺序为 1、2、……、0"},
    "wrong.swapped": {"en": "sine and cosine swapped", "zh": "正弦和余弦放反了"},
    "wrong.zero_row": {"en": "row 0 set to zeros", "zh": "第 0 行被设成全 0"},
    "wrong.halves": {"en": "sines, then cosines in halves", "zh": "先正弦、后余弦，各占一半"},
    "wrong.degrees": {"en": "angles in degrees", "zh": "用了角度制"},
    "wrong.integer_buffer": {"en": "an integer buffer", "zh": "整数类型的数组"},
    "wrong.zeros": {"en": "zeros everywhere", "zh": "处处是 0"},
    "wrong.one_row": {"en": "one row for all positions", "zh": "所有位置共用一行"},
    "wrong.float16_angles": {"en": "angles in float16", "zh": "用 float16 存角度"},
    "wrong.cosine_missing": {"en": "cosines left at 0", "zh": "余弦列还是 0"},
    "wrong.sine_missing": {"en": "sines left at 0", "zh": "正弦列还是 0"},
    "wrong.sine_only": {"en": "sines only", "zh": "只有正弦"},
    "wrong.cosine_only": {"en": "cosines only", "zh": "只有余弦"},
    "wrong.sign_flipped": {"en": "a flipped sign", "zh": "正负号反了"},
    "wrong.normalised": {"en": "positions divided by the length", "zh": "位置除以了长度"},
    "wrong.even_positions": {
        "en": "the sine in even rows, the cosine in odd rows",
        "zh": "偶数行放正弦、奇数行放余弦",
    },
    "wrong.nudged": {
        "en": "the right encoding with one entry off by 0.001",
        "zh": "正确的编码里有一个元素差了 0.001",
    },
    "wrong.phase": {
        "en": "the right encoding with every angle off by 0.001",
        "zh": "正确的编码里每个角度都差了 0.001",
    },
    "wrong.one_entry": {
        "en": "the right encoding with one wrong entry",
        "zh": "正确的编码里有一个元素不对",
    },
    "wrong.middle_row": {
        "en": "the right encoding with one wrong row in the middle",
        "zh": "正确的编码里中间有一行不对",
    },
    "wrong.jump": {
        "en": "rows that jump ahead once and then go on as they should",
        "zh": "各行中途跳过一段，之后又正常继续",
    },
    "wrong.second_row": {"en": "every second row turned too far", "zh": "每隔一行就多转了一些"},
    "wrong.third_row": {"en": "every third row turned too far", "zh": "每三行就有一行多转了一些"},
    "wrong.last_row": {
        "en": "the right encoding with a wrong last row",
        "zh": "正确的编码里最后一行不对",
    },
    "hint.detector.nudge": {
        "en": "Two assertions fix the whole matrix: how does it begin, and how does it go on from "
        "one row to the next?",
        "zh": "两条断言就能确定整个矩阵：它如何开始？又如何从一行走到下一行？",
    },
    "hint.detector.formula": {
        "en": "`pe[0]` is 0, 1, 0, 1, … and `pe[pos + 1] == R @ pe[pos]` with "
        "`R = encoding.rotation_matrix(1, d_model)`, up to 1e-9",
        "zh": "`pe[0]` 是 0、1、0、1……，并且 `pe[pos + 1] == R @ pe[pos]`，其中 "
        "`R = encoding.rotation_matrix(1, d_model)`，误差不超过 1e-9",
    },
    # checks: the rotation
    "check.rotation.correct": {
        "en": "Your matrix carries every row on by `offset` positions, forwards and back.",
        "zh": "你的矩阵能把每一行移动 `offset` 个位置，向前向后都行。",
    },
    "check.rotation.transposed": {
        "en": "It turns the wrong way, back by `offset`: move the minus sign to the other corner. "
        "The matrix stands on the left: `matrix @ pe[pos]`.",
        "zh": "旋转方向反了，后退了 `offset` 个位置：把负号移到另一个角上。"
        "矩阵写在左边：`matrix @ pe[pos]`。",
    },
    "check.rotation.halves": {
        "en": "It fits an encoding in halves, sines first. Here a sine stands beside its cosine, "
        "so each 2 by 2 block lies on the diagonal.",
        "zh": "它适用于正弦在前、余弦在后的布局。这里正弦旁边就是余弦，"
        "所以每个 2×2 的块都在对角线上。",
    },
    "check.rotation.halves_transposed": {
        "en": "It is laid out in halves, sines first, and turns the wrong way: put each 2 by 2 "
        "block on the diagonal, with the minus sign in its lower left corner.",
        "zh": "它按前后两半排列，而且旋转方向反了：把每个 2×2 的块放在对角线上，负号在左下角。",
    },
    "check.rotation.degrees": {
        "en": "Your angles went through a conversion between degrees and radians: "
        "`offset * omega[i]` is in radians already.",
        "zh": "你的角度做过角度制与弧度制的换算：`offset * omega[i]` 已经是弧度。",
    },
    "check.rotation.zeros": {
        "en": "Every entry is 0: the matrix was made, and never filled.",
        "zh": "每个元素都是 0：矩阵建好了，却没有填进内容。",
    },
    "check.rotation.identity": {
        "en": "This is the identity: it leaves every row where it is. Where does the angle "
        "`offset * omega[i]` enter?",
        "zh": "这是单位矩阵：每一行都原地不动。角度 `offset * omega[i]` 用在哪里呢？",
    },
    "check.rotation.one_frequency": {
        "en": "Every pair turns by the same angle, `offset`, and pair `i` has its own frequency "
        "`omega[i]`: is it left out, or is there a `//` where `/` belongs?",
        "zh": "每个列对都转了同样的角度 `offset`，而列对 `i` 有自己的频率 `omega[i]`：是漏掉了它，"
        "还是该用 `/` 的地方写成了 `//`？",
    },
    "check.rotation.other_log": {
        "en": "Your frequencies fall too slowly, as `log10` makes them: `np.exp` undoes `np.log`, "
        "not `np.log10`.",
        "zh": "你的频率下降得太慢，用了 `log10` 就会这样：`np.exp` 对应的是 `np.log`，"
        "不是 `np.log10`。",
    },
    "check.rotation.log_missing": {
        "en": "Your frequencies fall as powers of e: the factor log(10000) is missing in the "
        "exponent.",
        "zh": "你的频率按 e 的幂下降：指数里缺了因子 log(10000)。",
    },
    "check.rotation.one_too_far": {
        "en": "It moves by `offset + 1` positions: by offset 0 a row stays where it is.",
        "zh": "它移动了 `offset + 1` 个位置：`offset` 为 0 时，每一行都应当原地不动。",
    },
    "check.rotation.one_too_short": {
        "en": "It moves by `offset - 1` positions: by offset 0 a row stays where it is.",
        "zh": "它移动了 `offset - 1` 个位置：`offset` 为 0 时，每一行都应当原地不动。",
    },
    "check.rotation.integer_buffer": {
        "en": "Every entry is a whole number: was the matrix made with an integer dtype, which "
        "cuts off the decimals? `np.zeros((d_model, d_model))` keeps them.",
        "zh": "每个元素都是整数：创建矩阵时是不是用了整数类型？它会截掉小数。"
        "`np.zeros((d_model, d_model))` 会保留小数。",
    },
    "check.rotation.early_return": {
        "en": "Only {part} filled: does `return` stand inside the loop?",
        "zh": "只填了{part}：`return` 是不是写在循环里面了？",
    },
    "check.rotation.several_arrays": {
        "en": "You returned {count} arrays; one is wanted, of shape {wanted}: cosines and sines "
        "go into 2 by 2 blocks along its diagonal.",
        "zh": "你返回了 {count} 个数组；这里只要一个，形状为 {wanted}："
        "余弦和正弦组成 2×2 的块，放在它的对角线上。",
    },
    "check.rotation.blocks_apart": {
        "en": "Your shape is {got}: these are the 2 by 2 blocks. Put each on the diagonal of one "
        "matrix of shape {wanted}.",
        "zh": "你返回的形状是 {got}：这是一个个 2×2 的块。请把每个块放到一个形状为 {wanted} "
        "的矩阵的对角线上。",
    },
    "check.rotation.one_block": {
        "en": "That is the block of one pair, of shape {got}: put one for each pair along the "
        "diagonal.",
        "zh": "这只是一个列对的块，形状为 {got}：每个列对都要有一块，依次放在对角线上。",
    },
    "check.rotation.outer_d_model": {
        "en": "Whatever `d_model` is, your shape is {got}: did you use a `d_model` from outside "
        "the function, or a fixed number?",
        "zh": "无论 `d_model` 是多少，你返回的形状都是 {got}："
        "是不是用了函数外面的 `d_model`，或者写死的数字？",
    },
    "check.rotation.signs": {
        "en": "The numbers are right, but for their signs: each block has one minus sign, in its "
        "lower left corner.",
        "zh": "数值都对，只是正负号不对：每个块里只有一个负号，在左下角。",
    },
    "check.rotation.imprecise": {
        "en": "It carries the first rows on, and yet is off by {error} somewhere: a matrix that "
        "is fitted to some rows, as by `lstsq`, or kept in float16 is no exact rotation. The "
        "angle `offset * omega[i]` gives one.",
        "zh": "开头几行能移对，但有的元素差了 {error}：用 `lstsq` 之类的方法对若干行拟合，"
        "或者存成 float16，得到的都不是精确的旋转。用角度 `offset * omega[i]` 就能算准。",
    },
    "check.rotation.stops_below_1": {
        "en": "It works for offsets from 1 up, but for ({call}) it stops with `{error}`. A slice "
        "such as `pe[:-offset]` means something else there; the angle `offset * omega[i]` needs "
        "no case of its own.",
        "zh": "`offset` 不小于 1 时都对，但参数为 ({call}) 时代码报错了：`{error}`。"
        "这时像 `pe[:-offset]` 这样的切片含义就变了；而角度 `offset * omega[i]` 不必分情况。",
    },
    "check.rotation.wrong_below_1": {
        "en": "It works for offsets from 1 up, and is wrong for ({call}): 0 leaves every row, a "
        "negative offset moves back. The angle `offset * omega[i]` needs no case of its own.",
        "zh": "`offset` 不小于 1 时都对，但参数为 ({call}) 时不对：0 表示原地不动，负数表示后退。"
        "角度 `offset * omega[i]` 不必分情况。",
    },
    "check.rotation.doubled_exponent": {
        "en": "The slow pairs turn too slowly: is the exponent doubled? For pair `i` it is `-2 * "
        "i / d_model`.",
        "zh": "慢的列对转得太慢了：指数是不是多乘了一个 2？列对 `i` 的指数是 `-2 * i / d_model`。",
    },
    "check.rotation.halved_exponent": {
        "en": "The slow pairs turn too fast: the exponent is half of the right one. For pair `i` "
        "it is `-2 * i / d_model`.",
        "zh": "慢的列对转得太快了：指数只有正确值的一半。列对 `i` 的指数是 `-2 * i / d_model`。",
    },
    "check.rotation.exponent_sign": {
        "en": "The frequencies grow from pair to pair, and should fall: the exponent lacks its "
        "minus sign.",
        "zh": "频率随列对越来越大，而它应当越来越小：指数少了负号。",
    },
    "check.rotation.base_1000": {
        "en": "These are the frequencies of base 1000; the formula's base is 10000.",
        "zh": "这是底数为 1000 的频率；公式里的底数是 10000。",
    },
    "check.rotation.offset_ignored": {
        "en": "It moves by one position whatever `offset` is: the angle is `offset * omega[i]`.",
        "zh": "无论 `offset` 是多少，它都只移动一个位置：角度应为 `offset * omega[i]`。",
    },
    "check.rotation.negative_offset": {
        "en": "It is right for offsets from 0 on; a negative one moves back, and needs no case of "
        "its own if the angle is `offset * omega[i]`.",
        "zh": "`offset` 不小于 0 时是对的；负的 `offset` 表示后退，只要角度写成 "
        "`offset * omega[i]`，就不必单独处理。",
    },
    "check.rotation.swapped": {
        "en": "Sine and cosine have changed places: the cosine stands on the diagonal, so that "
        "offset 0 gives the identity.",
        "zh": "正弦和余弦放反了：余弦在对角线上，这样 `offset` 为 0 时才得到单位矩阵。",
    },
    "check.rotation.diagonal_only": {
        "en": "The cosines are right, and the sines beside them are missing: sin(a + b) needs both "
        "sine and cosine of a.",
        "zh": "余弦都对，但旁边缺了正弦：sin(a + b) 既要 a 的正弦，也要 a 的余弦。",
    },
    "check.rotation.same_sign": {
        "en": "Both sines have the same sign: a rotation has one minus sign, here in the lower "
        "left corner of each block.",
        "zh": "两个正弦的符号相同：旋转矩阵里有一个负号，在这里位于每个块的左下角。",
    },
    "check.rotation.entry": {
        "en": "For ({call}), the first entry that differs is {place}: got {got}, wanted {wanted}.",
        "zh": "参数为 ({call}) 时，第一个不同的元素在 {place}：得到 {got}，应为 {wanted}。",
    },
    "hint.rotation.nudge": {
        "en": "Moving on by `offset` positions adds one angle to each clock hand: which formulas "
        "give the sine and the cosine of a sum?",
        "zh": "前进 `offset` 个位置，就是给每根指针加上一个角度：两角和的正弦、余弦公式是什么？",
    },
    "hint.rotation.formula": {
        "en": "sin(a + b) = sin a cos b + cos a sin b and cos(a + b) = cos a cos b − sin a sin b, "
        "with `a = pos * omega[i]` and `b = offset * omega[i]`",
        "zh": "sin(a + b) = sin a cos b + cos a sin b，cos(a + b) = cos a cos b − sin a sin b，"
        "其中 `a = pos * omega[i]`，`b = offset * omega[i]`",
    },
    # checks: the longest wavelength
    "check.longest_wavelength.correct": {
        "en": "The slowest pair comes round once in that many positions: less than a third of the "
        "10000·2π that one often reads.",
        "zh": "最慢的列对要走这么多个位置才转完一圈：还不到常说的 10000·2π 的三分之一。",
    },
    "check.longest_wavelength.folklore": {
        "en": "That is 10000·2π, which one often reads; but the last pair is `i = 7`, so the "
        "exponent stops at 14/16 and never reaches 1.",
        "zh": "这是常说的 10000·2π；但最后一个列对是 `i = 7`，所以指数只到 14/16，取不到 1。",
    },
    "check.longest_wavelength.no_turn": {
        "en": "After that many positions the angle is 1 radian; a whole turn is 2π of them.",
        "zh": "走过这么多个位置，角度才到 1 弧度；转完一圈是 2π 弧度。",
    },
    "check.longest_wavelength.frequency": {
        "en": "That is the slowest frequency, in radians per position; the wavelength is 2π "
        "divided by it.",
        "zh": "这是最慢的频率，也就是每走一个位置转过的弧度；波长等于 2π 除以它。",
    },
    "check.longest_wavelength.multiplied": {
        "en": "You multiplied 2π by the frequency: divide by it.",
        "zh": "你用 2π 乘了频率：应当除以频率。",
    },
    "check.longest_wavelength.shortest": {
        "en": "2π is the shortest wavelength, that of pair 0; the longest belongs to the last "
        "pair. (Or is there a `//` where `/` belongs?)",
        "zh": "2π 是最短的波长，属于列对 0；最长的属于最后一个列对。"
        "（也可能是该用 `/` 的地方写成了 `//`？）",
    },
    "check.longest_wavelength.not_positive": {
        "en": "A wavelength is positive, and {got} is not: look at the signs.",
        "zh": "波长是正数，而 {got} 不是：检查一下正负号。",
    },
    "check.longest_wavelength.half_turn": {
        "en": "That is half a turn; a whole one is 2π.",
        "zh": "这只是半圈；转完一圈是 2π。",
    },
    "check.longest_wavelength.degrees": {
        "en": "Radians, not degrees: one turn is 2π.",
        "zh": "要用弧度，不要用度：转一圈是 2π。",
    },
    "check.longest_wavelength.base_only": {
        "en": "10000 is the base; the wavelength of pair `i` is 2π times a power of it.",
        "zh": "10000 是底数；列对 `i` 的波长是 2π 乘以它的某个幂。",
    },
    "check.longest_wavelength.width_8": {
        "en": "That is the longest wavelength for `d_model = 8`; with 16 columns the last pair is "
        "`i = 7`.",
        "zh": "这是 `d_model = 8` 时的最长波长；有 16 列时，最后一个列对是 `i = 7`。",
    },
    "check.longest_wavelength.column_index": {
        "en": "Your exponent is 15/16, that of the last column; a pair takes the exponent of its "
        "even column, 14.",
        "zh": "你的指数是 15/16，用的是最后一列的列号；列对用的是其中偶数列的列号，即 14。",
    },
    "check.longest_wavelength.halved_exponent": {
        "en": "Your exponent is 7/16, half of the right one: for pair `i` it is `2 * i / 16`.",
        "zh": "你的指数是 7/16，只有正确值的一半：列对 `i` 的指数是 `2 * i / 16`。",
    },
    "check.longest_wavelength.doubled_exponent": {
        "en": "Your exponent is 28/16, twice the right one: for pair `i` it is `2 * i / 16`.",
        "zh": "你的指数是 28/16，是正确值的两倍：列对 `i` 的指数是 `2 * i / 16`。",
    },
    "check.longest_wavelength.not_a_number": {
        "en": "One number is wanted, in positions; got `{got}`.",
        "zh": "这里需要一个数，单位是位置；收到的是 `{got}`。",
    },
    "check.longest_wavelength.too_long": {
        "en": "{got} is too long: write down the frequency of the last pair first.",
        "zh": "{got} 太长了：先写出最后一个列对的频率。",
    },
    "check.longest_wavelength.too_short": {
        "en": "{got} is too short: write down the frequency of the last pair first.",
        "zh": "{got} 太短了：先写出最后一个列对的频率。",
    },
    "check.longest_wavelength.nearly": {
        "en": "{got} is near, but not within 1 %: write the expression, and keep all digits until "
        "the end.",
        "zh": "{got} 很接近，但误差超过了 1%：请写出表达式，中间不要舍入。",
    },
    "hint.longest_wavelength.nudge": {
        "en": "Which pair turns slowest, and how far does it turn in one position?",
        "zh": "哪个列对转得最慢？每走一个位置，它转过多少？",
    },
    "hint.longest_wavelength.formula": {
        "en": "`wavelength = 2π / omega[i]` with `omega[i] = 10000 ** (-2 * i / d_model)`, for the "
        "last `i`, which is `d_model / 2 - 1`",
        "zh": "`wavelength = 2π / omega[i]`，其中 `omega[i] = 10000 ** (-2 * i / d_model)`，"
        "取最后一个 `i`，即 `d_model / 2 - 1`",
    },
    # checks: one word at two positions
    "check.difference.correct": {
        "en": "The word is in both sums and cancels: `pe[p] - pe[q]` is left, the same for every "
        "word.",
        "zh": "两个和里都有这个词，相减就消掉了：剩下 `pe[p] - pe[q]`，对每个词都一样。",
    },
    "check.difference.the_word": {
        "en": "The word stands in both sums, so it cancels when you subtract: what is left of "
        "`(word + pe[0]) - (word + pe[3])`?",
        "zh": "两个和里都有这个词，一减就消掉了：`(word + pe[0]) - (word + pe[3])` 还剩下什么？",
    },
    "check.difference.both": {
        "en": "Half of it: the positions, yes. But the word stands in both sums, and cancels "
        "when you subtract.",
        "zh": "对了一半：与位置有关。但两个和里都有这个词，一减就消掉了。",
    },
    "check.difference.not_a_choice": {
        "en": 'Choose one of "the word", "the positions" and "both"; got `{got}`.',
        "zh": '请在 "the word"（词）、"the positions"（位置）、"both"（两者）中选一个；收到的是 '
        "`{got}`。",
    },
    "hint.difference.nudge": {
        "en": "Write down both sums, one under the other, and subtract.",
        "zh": "把两个相加的式子写成上下两行，再相减。",
    },
    "hint.difference.formula": {
        "en": "`total[p] - total[q]`, where `total[p] = word + pe[p]` and `total[q] = word + "
        "pe[q]`",
        "zh": "求 `total[p] - total[q]`，其中 `total[p] = word + pe[p]`，`total[q] = word + pe[q]`",
    },
    # checks: positions added to a batch
    "check.add_positions.correct": {
        "en": "Each token got the row of its own position, in every sentence and at every size "
        "tried, and the caller's array is as it was.",
        "zh": "试过的每种大小、每个句子里，每个词元都加上了自己位置的那一行，"
        "传入的数组也保持原样。",
    },
    "check.add_positions.changed_input": {
        "en": "Your function writes into the caller's array: call it twice, and the position is "
        "in there twice. `x + pe` makes a new array, `x += pe` does not.",
        "zh": "你的函数改写了传给它的数组：调用两次，位置就加了两次。`x + pe` 会得到新数组，`x "
        "+= pe` 不会。",
    },
    "check.add_positions.batch_axis": {
        "en": "Your slice runs along the batch, so all tokens of a sentence can get one vector: "
        "the positions are counted by `x.shape[1]`, the sentences by `x.shape[0]`.",
        "zh": "你沿批次轴取了切片，于是同一句里的词元可能都得到同一个向量：位置的个数是 "
        "`x.shape[1]`，`x.shape[0]` 是句子的个数。",
    },
    "check.add_positions.one_row": {
        "en": "Every token gets the same vector: a colon is missing. `pe[n]` is a single row, "
        "`pe[:n]` is the first `n` rows.",
        "zh": "所有词元都得到同一个向量：少了一个冒号。`pe[n]` 只是一行，`pe[:n]` 才是前 `n` 行。",
    },
    "check.add_positions.nothing_added": {
        "en": "What comes back is `x` as it was: where is the encoding added?",
        "zh": "返回的还是原来的 `x`：位置编码加在哪里了？",
    },
    "check.add_positions.integer_buffer": {
        "en": "What you add is made of whole numbers: a buffer with an integer dtype cuts off "
        "the decimals of the encoding; make it a float.",
        "zh": "你加上的都是整数：整数类型的数组截掉了位置编码的小数，请改用浮点数类型。",
    },
    "check.add_positions.half_angles": {
        "en": "The first positions are right, then the error grows, to {error} at position "
        "{place}, as it does when angles are kept in half precision. Compute the encoding in "
        "float64, and make it narrow last.",
        "zh": "前几个位置是对的，之后误差越来越大，到位置 {place} 时已有 {error}："
        "用半精度存角度就会这样。请用 float64 计算位置编码，最后再转成窄类型。",
    },
    "check.add_positions.half_stored": {
        "en": "The formula is right, but the encoding is stored in half precision and loses up "
        "to 0.0002: add it in float64 or float32.",
        "zh": "公式是对的，但位置编码存成了半精度，误差可达 0.0002：请用 float64 或 float32 相加。",
    },
    "check.add_positions.twice": {
        "en": "The encoding is in the sum twice: one plus sign is enough.",
        "zh": "位置编码加了两次：一个加号就够了。",
    },
    "check.add_positions.subtracted": {
        "en": "The encoding is subtracted: the sum has a plus.",
        "zh": "位置编码被减掉了：这里要用加号。",
    },
    "check.add_positions.scaled": {
        "en": "You also multiply by the square root of `d_model`. The paper does that in another "
        "step, before it adds; here the sum is `x + pe`.",
        "zh": "你还乘上了 `d_model` 的平方根。论文里那是相加之前的另一个步骤；这里只求 `x + pe`。",
    },
    "check.add_positions.multiplied": {
        "en": "You multiply the word by the encoding: where a sine is 0, the word is gone. The "
        "sum has a plus.",
        "zh": "你把词和位置编码相乘了：正弦为 0 的地方，词就消失了。这里要用加号。",
    },
    "check.add_positions.only_pe": {
        "en": "What comes back is the encoding alone: the words are missing from the sum.",
        "zh": "返回的只有位置编码：和里缺了词。",
    },
    "check.add_positions.starts_at_1": {
        "en": "Your positions start at 1: the first token should get row 0.",
        "zh": "你的位置从 1 开始：第一个词元应当加上第 0 行。",
    },
    "check.add_positions.running_count": {
        "en": "Your positions run on from one sentence into the next: each sentence starts again "
        "at position 0.",
        "zh": "你的位置从上一句接着数到了下一句：每个句子都应当从位置 0 重新数起。",
    },
    "check.add_positions.first_sentence": {
        "en": "Only the first sentence is served: `x[0]` is one sentence, and `x + pe` serves "
        "all of them by broadcasting.",
        "zh": "只处理了第一个句子：`x[0]` 是一个句子，而 `x + pe` 借助广播就能处理所有句子。",
    },
    "check.add_positions.batch_of_one": {
        "en": "A batch with a single sentence loses its batch axis: leave out `np.squeeze`, so "
        "that the shape comes back as it was.",
        "zh": "只有一个句子时，批次轴丢了：去掉 `np.squeeze`，让形状保持不变。",
    },
    "check.add_positions.concatenated": {
        "en": "You put word and position side by side, which doubles the width: here the two are "
        "added.",
        "zh": "你把词和位置并排拼接了，宽度变成两倍：这里要把两者相加。",
    },
    "check.add_positions.three_axes": {
        "en": "`x.shape` holds three numbers, `batch, seq_len, d_model`, in this order: the "
        "encoding takes the last two.",
        "zh": "`x.shape` 有三个数，依次是 `batch, seq_len, d_model`：位置编码用后两个。",
    },
    "check.add_positions.one_width": {
        "en": "It is right for width {width} only, and fails on a batch of shape {got}: make the "
        "encoding with `d_model = x.shape[2]`, not from a variable outside.",
        "zh": "它只对宽度 {width} 有效，遇到形状为 {got} 的批次就失败了：请用 `d_model = "
        "x.shape[2]` 生成位置编码，不要用函数外面的变量。",
    },
    "check.add_positions.some_shapes": {
        "en": "It is right for shape {right}, and fails on a batch of shape {got}: take "
        "`seq_len` and `d_model` from `x.shape`.",
        "zh": "形状为 {right} 时是对的，遇到形状为 {got} 的批次就失败了：请从 `x.shape` 取得 "
        "`seq_len` 和 `d_model`。",
    },
    "check.add_positions.shape": {
        "en": "The sum has the shape of the batch, {wanted}; yours is {got}.",
        "zh": "相加结果的形状与批次相同，应为 {wanted}；你得到的是 {got}。",
    },
    "check.add_positions.entry": {
        "en": "For a batch of shape {shape}, the first entry that differs is {place}: got {got}, "
        "wanted {wanted}.",
        "zh": "批次的形状为 {shape} 时，第一个不同的元素在 {place}：得到 {got}，应为 {wanted}。",
    },
    "hint.add_positions.nudge": {
        "en": "Which of the three axes counts positions, and what does broadcasting do with the "
        "axis in front?",
        "zh": "三个轴里哪一个是位置？广播会怎样对待最前面的轴？",
    },
    "hint.add_positions.formula": {
        "en": "`total[b, pos] = x[b, pos] + pe[pos]` for every sentence `b`, with `pe` of shape "
        "`(seq_len, d_model)`",
        "zh": "对每个句子 `b`：`total[b, pos] = x[b, pos] + pe[pos]`，其中 `pe` 的形状是 "
        "`(seq_len, d_model)`",
    },
    # checks: the learner's own pair test
    "check.pair_test.correct": {
        "en": "Your test accepts six right ways to add, and stops the batch-axis bug, the "
        "missing colon, a sum without positions, and positions that run on through the batch.",
        "zh": "你的测试接受了六种正确的写法，也拦住了批次轴错误、漏写冒号、没加位置，"
        "以及位置跨句连着数这四种错误。",
    },
    "check.pair_test.never_calls": {
        "en": "Your test never calls `add`: give it a batch that holds one word several times, "
        "and look at the rows that come back.",
        "zh": "你的测试从没调用 `add`：请传给它一个批次，让同一个词在里面出现多次，"
        "再看返回的各行。",
    },
    "check.pair_test.always_true": {
        "en": "Your test says `True` to every adder, even to one that adds nothing: compare two "
        "rows of what `add` returns.",
        "zh": "你的测试对所有写法都说 `True`，连什么都没加的也一样：请比较 `add` "
        "返回结果里的两行。",
    },
    "check.pair_test.always_false": {
        "en": "Your test accepts no adder, not even `x + pe`. Two positions of one sentence "
        "should differ, and one position of two sentences agree: do you compare these, and is it "
        "one word everywhere?",
        "zh": "你的测试不接受任何写法，连 `x + pe` 也不接受。同一句里的两个位置应当不同，"
        "两个句子里的同一个位置应当一致：你比较的是这些吗？那里放的都是同一个词吗？",
    },
    "check.pair_test.inverted": {
        "en": "Your test says `False` to every right adder, and `True` to a wrong one: are the "
        "two conditions the wrong way round, or one of them? Two positions must *differ*, two "
        "sentences must *agree*.",
        "zh": "你的测试对正确的写法都说 `False`，却对某种错误的写法说 `True`："
        "是不是有一个条件写反了，或者两个都写反了？两个位置必须**不同**，两个句子必须**一致**。",
    },
    "check.pair_test.too_tight": {
        "en": "It refuses a right adder that sums in another order: floats that went different "
        "ways differ in the last digits, so ask for agreement with `np.allclose`, not `==`.",
        "zh": "它拒绝了一个换了求和顺序的正确写法：经过不同计算的浮点数，末几位会有差别，"
        "所以判断一致要用 `np.allclose`，不要用 `==`。",
    },
    "check.pair_test.rejects": {
        "en": "It refuses a right adder: {name}. Ask the two questions only, whether rows differ "
        "and agree, and not what their values are.",
        "zh": "它拒绝了一种正确的写法：{name}。只问那两个问题：该不同的两行是否不同，"
        "该一致的两行是否一致；不要管具体的数值。",
    },
    "check.pair_test.slipped": {
        "en": "A wrong adder slips through: {name}. {shows}",
        "zh": "有一种错误的写法没被拦住：{name}。{shows}",
    },
    "check.pair_test.not_a_batch": {
        "en": "`add` takes a batch of shape `(batch, seq_len, d_model)`; your test gave it shape "
        "{got}. `np.tile(word, (2, 5, 1))` makes two sentences of five tokens.",
        "zh": "`add` 接受形状为 `(batch, seq_len, d_model)` 的批次；你的测试给它的形状是 {got}。"
        "`np.tile(word, (2, 5, 1))` 就是两个各有五个词元的句子。",
    },
    "adder.plain": {"en": "`x + pe`", "zh": "`x + pe`"},
    "adder.by_rotation": {
        "en": "`x + pe` with the encoding built by rotation",
        "zh": "用旋转生成位置编码的 `x + pe`",
    },
    "adder.scaled": {
        "en": "one that first multiplies the words by the root of `d_model`",
        "zh": "先把词乘以 `d_model` 的平方根再相加",
    },
    "adder.learned": {"en": "one with learned rows in place of sines", "zh": "用学到的行代替正弦"},
    "adder.faint": {
        "en": "one that adds the encoding times 0.01, so a threshold is too large",
        "zh": "加上 0.01 倍的位置编码（所以是阈值太大了）",
    },
    "adder.batch_axis": {"en": "the slice along the batch axis", "zh": "沿批次轴取切片"},
    "adder.no_colon": {"en": "the missing colon", "zh": "漏写冒号"},
    "adder.no_positions": {"en": "no position added at all", "zh": "根本没加位置"},
    "adder.running_count": {
        "en": "positions that run on from one sentence into the next",
        "zh": "位置从一句接着数到下一句",
    },
    "adder.shown_by.differ": {
        "en": "The first question would have shown it: one sentence, the same word at two "
        "positions, must differ.",
        "zh": "第一个问题就能发现它：同一句里，同一个词在两个位置上，结果必须不同。",
    },
    "adder.shown_by.agree": {
        "en": "The second question would have shown it: two sentences, the same word at one "
        "position, must agree.",
        "zh": "第二个问题就能发现它：两个句子里，同一个词在同一个位置上，结果必须一致。",
    },
    "adder.shown_by.both": {
        "en": "Either question would have shown it, with more than one sentence and more than "
        "one position.",
        "zh": "两个问题都能发现它，只要句子不止一个、位置也不止一个。",
    },
    "hint.pair_test.nudge": {
        "en": "Fill two sentences with one and the same word: which rows of the result must "
        "differ, and which must agree?",
        "zh": "用同一个词填满两个句子：结果里哪些行必须不同，哪些行必须一致？",
    },
    "hint.pair_test.formula": {
        "en": "`rows[0, 0]` and `rows[0, 3]` differ; `rows[0, 3]` and `rows[1, 3]` agree",
        "zh": "`rows[0, 0]` 与 `rows[0, 3]` 不同；`rows[0, 3]` 与 `rows[1, 3]` 一致",
    },
    # checks: word and position read back
    "check.read_pair.correct": {
        "en": "Word and position are read back at widths 4, 8 and 64: with all pairs at hand, "
        "the nearest sum is the one that was made.",
        "zh": "在宽度 4、8、64 下，词和位置都读对了：把所有组合都列出来，距离最小的那个和，"
        "就是原来的那个。",
    },
    "check.read_pair.swapped": {
        "en": "Both indices are right, in the wrong order: return `(word, pos)`.",
        "zh": "两个索引都对，只是顺序反了：请返回 `(word, pos)`。",
    },
    "check.read_pair.separately": {
        "en": "You look for the nearest word and for the nearest position separately. At width "
        "{width} that gives {got} where {wanted} was made: each is in the other's way. Look for "
        "the nearest *sum*.",
        "zh": "你把最近的词和最近的位置分开来找。在宽度 {width} 下这样得到 {got}，而原来是 "
        "{wanted}：两者互相干扰。请找最近的**和**。",
    },
    "check.read_pair.one_by_one": {
        "en": "You find one of the two first and take it away. At width {width} the first guess "
        "can be wrong, and then the second is too: {got} where {wanted} was made. Try all pairs "
        "at once.",
        "zh": "你先找出其中一个，再把它减掉。在宽度 {width} 下，第一步可能猜错，"
        "第二步也就跟着错：得到 {got}，而原来是 {wanted}。请一次试遍所有组合。",
    },
    "check.read_pair.dot_product": {
        "en": "With dot products you search for word and position separately, even if you form "
        "the sums first: `(word + row) @ total` is `word @ total + row @ total`. At width {width} "
        "that gives {got} where {wanted} was made. Look for the *sum* at the smallest distance.",
        "zh": "用点积，就等于把词和位置分开来找，先求和也一样：`(word + row) @ total` 就是 "
        "`word @ total + row @ total`。在宽度 {width} 下这样得到 {got}，而原来是 {wanted}。"
        "请找距离最小的**和**。",
    },
    "check.read_pair.farthest": {
        "en": "You return the pair that is farthest away: the smallest distance needs `argmin`, "
        "not `argmax`.",
        "zh": "你返回的是距离最远的组合：求最小的距离要用 `argmin`，不是 `argmax`。",
    },
    "check.read_pair.only_word": {
        "en": "Every word is right, but not every position: at width {width} you found {got} "
        "where {wanted} was made. Try all combinations at once, and take the smallest distance.",
        "zh": "词都对了，位置却不全对：在宽度 {width} 下你得到 {got}，而原来是 {wanted}。"
        "请一次试遍所有组合，取距离最小的。",
    },
    "check.read_pair.only_pos": {
        "en": "Every position is right, but not every word: at width {width} you found {got} "
        "where {wanted} was made. Try all combinations at once, and take the smallest distance.",
        "zh": "位置都对了，词却不全对：在宽度 {width} 下你得到 {got}，而原来是 {wanted}。"
        "请一次试遍所有组合，取距离最小的。",
    },
    "check.read_pair.wrong_pair": {
        "en": "At width {width} you found {got}, and the row was made from {wanted}: its "
        "distance to that sum is 0.",
        "zh": "在宽度 {width} 下你得到 {got}，而原来是 {wanted}："
        "`total` 到这个组合之和的距离是 0。",
    },
    "check.read_pair.other_divisor": {
        "en": "Position {place} does not exist, there are {count}: a row of the table of sums has "
        "one entry for each position, so divide by `len(pe)`, not by `len(words)`.",
        "zh": "位置 {place} 并不存在，一共只有 {count} 个位置：所有和排成的表里，每个位置占一列，"
        "所以要除以 `len(pe)`，而不是 `len(words)`。",
    },
    "check.read_pair.no_such_pair": {
        "en": "There is no pair {got}: words are numbered from 0 to {last_word}, positions from 0 "
        "to {last_pos}.",
        "zh": "没有 {got} 这个组合：词的索引从 0 到 {last_word}，位置从 0 到 {last_pos}。",
    },
    "check.read_pair.sums_do_not_fit": {
        "en": "Words and positions do not line up, `{error}`: each word needs each position, and "
        "`words[:, None] + pe` has shape (n_words, seq_len, d_model).",
        "zh": "词和位置的形状对不上：`{error}`。每个词都要配上每个位置，"
        "`words[:, None] + pe` 的形状正是 (n_words, seq_len, d_model)。",
    },
    "check.read_pair.vectors": {
        "en": "You return vectors, of shape {got}: return the two indices, for which `np.argmin` "
        "serves.",
        "zh": "你返回的是向量，形状为 {got}：请返回两个索引，`np.argmin` 能给出索引。",
    },
    "check.read_pair.one_number": {
        "en": "Two indices are wanted, `(word, pos)`; got `{got}`. `np.unravel_index` makes two "
        "of the place in a flattened table.",
        "zh": "这里需要两个索引 `(word, pos)`；收到的是 `{got}`。`np.unravel_index` "
        "能把展平后的索引变回两个。",
    },
    "check.read_pair.not_indices": {
        "en": "Two whole numbers are wanted, `(word, pos)`; got `{got}`.",
        "zh": "这里需要两个整数 `(word, pos)`；收到的是 `{got}`。",
    },
    "hint.read_pair.nudge": {
        "en": "How many different sums can there be, and which of them is `total`?",
        "zh": "一共可能有多少个不同的和？`total` 是其中哪一个？",
    },
    "hint.read_pair.formula": {
        "en": "The `(word, pos)` with the smallest `|words[word] + pe[pos] - total|²`",
        "zh": "取使 `|words[word] + pe[pos] - total|²` 最小的 `(word, pos)`",
    },
    # checks: the position's share of the energy
    "check.energy_share.correct": {
        "en": "64 of 65 parts: without the factor the word has the squared norm 1, the position "
        "`d_model / 2` = 64.",
        "zh": "65 份里占 64 份：没有那个因子时，词的范数平方为 1，位置的为 `d_model / 2` = 64。",
    },
    "check.energy_share.with_root": {
        "en": "One third is the share *with* the factor, where the word has the squared norm "
        "`d_model`. Without it the word is much fainter.",
        "zh": "三分之一是**乘了**因子时的占比，那时词的范数平方为 `d_model`。"
        "没有因子，词要弱得多。",
    },
    "check.energy_share.even": {
        "en": "Half would need word and position to be equally loud. Work out both squared "
        "norms: 128 entries of variance 1/128, and `d_model / 2`.",
        "zh": "词和位置一样强，才会各占一半。请把两个范数平方都算出来：128 个方差为 1/128 "
        "的元素，以及 `d_model / 2`。",
    },
    "check.energy_share.word_share": {
        "en": "That is the word's share; the position has the rest.",
        "zh": "这是词的占比；剩下的才是位置的。",
    },
    "check.energy_share.all": {
        "en": "Nearly, but the word is still there: its squared norm is 1, beside the position's "
        "64.",
        "zh": "差不多，但词还在：它的范数平方是 1，而位置的是 64。",
    },
    "check.energy_share.no_half": {
        "en": "You took `d_model` for the squared norm of a row of the encoding: each pair adds "
        "sin² + cos² = 1, and there are `d_model / 2` pairs.",
        "zh": "你把位置编码一行的范数平方当成了 `d_model`：每个列对贡献 sin² + cos² = 1，"
        "而列对一共有 `d_model / 2` 个。",
    },
    "check.energy_share.width_512": {
        "en": "That is the share at width 512, which the chapter measured; here the width is 128.",
        "zh": "这是本章在宽度 512 下测得的占比；这里的宽度是 128。",
    },
    "check.energy_share.ratio": {
        "en": "64 is the ratio of position to word; the share is position over *both together*.",
        "zh": "64 是位置与词之比；占比是位置除以**两者之和**。",
    },
    "check.energy_share.percent": {
        "en": "A share is wanted, between 0 and 1: {got} as a percentage is {share}.",
        "zh": "这里要的是 0 到 1 之间的占比：百分之 {got} 写作 {share}。",
    },
    "check.energy_share.not_a_share": {
        "en": "{got} cannot be a share: it lies between 0 and 1.",
        "zh": "{got} 不可能是占比：占比在 0 和 1 之间。",
    },
    "check.energy_share.too_large": {
        "en": "{got} is too large: the word's squared norm is 1, so a little more is left to it.",
        "zh": "{got} 太大了：词的范数平方是 1，要给词多留一点占比。",
    },
    "check.energy_share.too_small": {
        "en": "{got} is too small: work out both squared norms, that of a word and that of a row "
        "of the encoding.",
        "zh": "{got} 太小了：把两个范数平方都算出来，一个是词的，一个是位置编码一行的。",
    },
    "hint.energy_share.nudge": {
        "en": "What is the squared norm of a word, 128 entries of variance 1/128, and what is "
        "that of any row of the encoding?",
        "zh": "一个词有 128 个方差为 1/128 的元素，它的范数平方是多少？"
        "位置编码任意一行的又是多少？",
    },
    "hint.energy_share.formula": {
        "en": "`share = position / (content + position)`, with `content = d * (1 / d)` and "
        "`position = d / 2`",
        "zh": "占比 `share = position / (content + position)`，其中 `content = d * (1 / d)`，"
        "`position = d / 2`",
    },
    # checks: what `cat` looks at
    "check.most_attended.correct": {
        "en": "`cat` looks at `cat`, at itself: with itself a vector has a sum of squares, with "
        "another random vector the products mostly cancel, as they do in this draw (seed 42).",
        "zh": "`cat` 最关注的是 `cat`，也就是它自己：和自己的点积是平方和，每一项都不为负；"
        "和别的随机向量作点积，各项大多互相抵消，这里抽到的（随机种子 42）正是如此。",
    },
    "check.most_attended.the": {
        "en": "`the` stands there twice, but each copy takes its own weight, and neither is "
        "similar to `cat`. Which vector is most similar to the vector of `cat`?",
        "zh": "`the` 虽然出现了两次，但两个的权重是分开算的，而且都不像 `cat`。哪个向量最像 `cat` "
        "的向量？",
    },
    "check.most_attended.another_word": {
        "en": "That is what the meaning suggests, but nothing is trained here and the vectors "
        "are random: which of them is most similar to the vector of `cat`?",
        "zh": "从意思上看像是这样，但这里什么都没训练，向量是随机的：其中哪一个最像 `cat` 的向量？",
    },
    "check.most_attended.all_alike": {
        "en": "The vectors are random, but not all alike to `cat`: a dot product with itself is "
        "a sum of squares, all of one sign.",
        "zh": "向量虽然是随机的，对 `cat` 来说却不是都一样：和自己的点积是平方和，每一项都不为负。",
    },
    "check.most_attended.not_a_choice": {
        "en": 'Write a word of the sentence, or "all alike"; got `{got}`.',
        "zh": '请写句子里的一个词，或者 "all alike"（都一样）；收到的是 `{got}`。',
    },
    "hint.most_attended.nudge": {
        "en": "The weight grows with the dot product: with which vector does a vector have a "
        "large one for certain?",
        "zh": "点积越大，权重越大：一个向量和哪个向量的点积肯定大？",
    },
    "hint.most_attended.formula": {
        "en": "`score = cat @ key / sqrt(d_k)`, where the keys are the five word vectors, that "
        "of `cat` among them",
        "zh": "分数 `score = cat @ key / sqrt(d_k)`，其中的键（key）依次取五个词向量，`cat` "
        "自己也在内",
    },
    # checks: the spread of the scores
    "check.score_deviation.correct": {
        "en": "Variances add: 256 of them, each 1, and the root of 256 is 16.",
        "zh": "方差相加：256 个，每个是 1；256 的平方根是 16。",
    },
    "check.score_deviation.variance": {
        "en": "256 is the variance; the standard deviation is its root.",
        "zh": "256 是方差；标准差是它的平方根。",
    },
    "check.score_deviation.scaled": {
        "en": "1 is what comes out after the scaling; the question is about the scores before it.",
        "zh": "1 是缩放之后的结果；这里问的是缩放之前的分数。",
    },
    "check.score_deviation.factor": {
        "en": "1/16 is the factor that brings the scores back to 1; what must it undo?",
        "zh": "1/16 是让分数的标准差变回 1 的因子；那么原来的标准差是多少？",
    },
    "check.score_deviation.two_roots": {
        "en": "4 takes the root twice: 256 is the variance, and its root is the deviation.",
        "zh": "得到 4，是开了两次平方根：256 是方差，它的平方根才是标准差。",
    },
    "check.score_deviation.half": {
        "en": "128 is half of the variance: it is a root that is wanted, and not a half.",
        "zh": "128 是方差的一半：这里要开平方根，而不是除以 2。",
    },
    "check.score_deviation.two_widths": {
        "en": "You counted 512 terms: each of the 256 columns gives one product of query and "
        "key, of "
        "variance 1.",
        "zh": "你算成了 512 项：查询和键的每一列相乘只得一项，一共 256 项，每项的方差为 1。",
    },
    "check.score_deviation.mean": {
        "en": "0 is their mean, up to chance: the scores scatter around it, and the question is "
        "how far.",
        "zh": "0 是平均值（测得的会略有偏差）：分数散布在它周围，这里问的是散开的程度。",
    },
    "check.score_deviation.too_large": {
        "en": "{got} is too large: add up the variances first, then take the root.",
        "zh": "{got} 太大了：先把方差加起来，再开平方根。",
    },
    "check.score_deviation.too_small": {
        "en": "{got} is too small: add up the variances first, then take the root.",
        "zh": "{got} 太小了：先把方差加起来，再开平方根。",
    },
    "hint.score_deviation.nudge": {
        "en": "What is the variance of the product of two independent standard normal numbers, "
        "and what happens to variances in a sum?",
        "zh": "两个独立的标准正态随机数相乘，积的方差是多少？许多个这样的积相加，方差又会怎样？",
    },
    "hint.score_deviation.formula": {
        "en": "`variance = d_k`, so `deviation = sqrt(d_k)`",
        "zh": "方差为 `d_k`，所以标准差为 `sqrt(d_k)`",
    },
    # checks: softmax
    "check.softmax.correct": {
        "en": "Each row sums to 1, for one, two and three axes, and scores of 1,000 and of "
        "−1,000 do no harm.",
        "zh": "一个、两个、三个轴都行，每一行的和都是 1，1000 和 −1000 这样的分数也没有问题。",
    },
    "check.softmax.overflow": {
        "en": "The formula is right, but scores such as {row} give `nan`: `exp` of them "
        "overflows, or all become 0. Subtract the largest score of each row first.",
        "zh": "公式是对的，但像 {row} 这样的分数会得到 `nan`：`exp` 溢出了，或者全成了 0。"
        "请先减去每一行的最大分数。",
    },
    "check.softmax.one_maximum": {
        "en": "You subtract one maximum for all rows: a row that lies far below it, such as "
        "{row}, vanishes into 0 / 0. Each row needs its own, with `axis=-1`.",
        "zh": "你让所有行都减去了同一个最大值：比它低得多的行（例如 {row}）会变成 0 / 0。"
        "每一行要减去自己的最大值，用 `axis=-1`。",
    },
    "check.softmax.large_scores": {
        "en": "Moderate scores come out right, but the row {row} does not: it gets {got}, wanted "
        "{wanted}. Subtract the largest score of each row, and clip or add nothing.",
        "zh": "普通的分数是对的，但 {row} 这一行不对：得到 {got}，应为 {wanted}。"
        "请减去每一行的最大分数，不要截断，也不要另外加什么。",
    },
    "check.softmax.axis_0": {
        "en": "Your columns sum to 1, and the rows should: a query is a row, so use `axis=-1`.",
        "zh": "你的结果是每一列的和为 1，应当是每一行：一个查询就是一行，所以用 `axis=-1`。",
    },
    "check.softmax.over_all": {
        "en": "The whole array sums to 1, and each row should: give `axis=-1` to the sum and to "
        "the maximum.",
        "zh": "你的结果是整个数组的和为 1，应当是每一行：求和与求最大值都要写 `axis=-1`。",
    },
    "check.softmax.no_exp": {
        "en": "You divide the scores themselves by their sum: scores can be negative, so `exp` "
        "comes first.",
        "zh": "你直接用分数除以它们的和：分数可能为负，所以要先取 `exp`。",
    },
    "check.softmax.not_normalised": {
        "en": "These are the exponentials: divide each row by its sum.",
        "zh": "这还只是 exp 之后的数：请把每一行除以它的和。",
    },
    "check.softmax.negative": {
        "en": "Your largest score gets the smallest weight: the exponent has a minus too many.",
        "zh": "最大的分数得到了最小的权重：指数里多了一个负号。",
    },
    "check.softmax.logarithm": {
        "en": "This is the logarithm of the weights: the weights themselves are wanted, from 0 "
        "to 1.",
        "zh": "这是权重的对数：这里要的是权重本身，在 0 和 1 之间。",
    },
    "check.softmax.base_2": {
        "en": "You raise 2 to the scores: softmax takes powers of e, with `np.exp`.",
        "zh": "你用的是 2 的幂：softmax 用 e 的幂，即 `np.exp`。",
    },
    "check.softmax.largest_only": {
        "en": "All the weight lies on the largest score: softmax gives every score a share.",
        "zh": "权重全落在最大的分数上：softmax 会给每个分数都分一些权重。",
    },
    "check.softmax.keepdims": {
        "en": "For scores of shape {got} the shapes do not fit: with `keepdims=True` the maximum "
        "and the sum keep their axis, of length 1, and can be broadcast.",
        "zh": "分数的形状为 {got} 时，形状对不上：加上 `keepdims=True`，最大值与和就会保留长度为 "
        "1 的轴，可以广播。",
    },
    "check.softmax.fixed_axes": {
        "en": "It is right for a matrix, but not for scores of shape {got}: name the last axis, "
        "`axis=-1`, which every array has.",
        "zh": "对矩阵是对的，但分数的形状为 {got} 时不对：请用 `axis=-1` 指定最后一个轴，"
        "任何数组都有它。",
    },
    "check.softmax.entry": {
        "en": "The first weight that differs is {place}: got {got}, wanted {wanted}. Its row "
        "sums to {sum}.",
        "zh": "第一个不同的权重在 {place}：得到 {got}，应为 {wanted}。这一行的和是 {sum}。",
    },
    "hint.softmax.nudge": {
        "en": "A constant added to a whole row changes nothing: which constant keeps `exp` from "
        "overflowing?",
        "zh": "给一整行加上同一个常数，结果不变：加上哪个常数，`exp` 就不会溢出？",
    },
    "hint.softmax.formula": {
        "en": "`exp(s - m) / sum(exp(s - m))` for each row, with `m` the largest score of that row",
        "zh": "每一行：`exp(s - m) / sum(exp(s - m))`，其中 `m` 是这一行的最大分数",
    },
    # checks: attention whole
    "check.attention.correct": {
        "en": "Output and weights are right, with more keys than queries, a mask that hides "
        "single keys, and values of another width.",
        "zh": "输出和权重都对：键比查询多、掩码遮住个别的键、值的宽度不同，这些情形都试过了。",
    },
    "check.attention.no_scale": {
        "en": "Your scores are not scaled: divide `q @ k.T` by the root of `d_k`, which is "
        "`q.shape[1]`.",
        "zh": "你的分数没有缩放：请把 `q @ k.T` 除以 `d_k` 的平方根，`d_k` 就是 `q.shape[1]`。",
    },
    "check.attention.times": {
        "en": "You multiply by the root of `d_k` where you should divide: the scores grow with "
        "the width instead of staying the same.",
        "zh": "应当除以 `d_k` 的平方根，你却乘了它：分数会随宽度变大，而不是保持不变。",
    },
    "check.attention.no_root": {
        "en": "You divide by `d_k` itself: the standard deviation of the scores is its root.",
        "zh": "你除以的是 `d_k` 本身：分数的标准差是 `d_k` 的平方根，要除以的是平方根。",
    },
    "check.attention.other_scale": {
        "en": "You take the root of another number, of queries, of keys, or the width of the "
        "values: `d_k` is the width of queries and keys, `q.shape[1]`.",
        "zh": "你开方的是别的数，可能是查询的个数、键的个数，或值的宽度。`d_k` 是查询和键的宽度，"
        "即 "
        "`q.shape[1]`。",
    },
    "check.attention.axis_0": {
        "en": "Your columns sum to 1, and the rows should: each query shares itself out among the "
        "keys, so take softmax along `axis=-1`.",
        "zh": "你的结果是每一列的和为 1，应当是每一行：每个查询把注意力分给各个键，所以 softmax "
        "要沿 `axis=-1` 计算。",
    },
    "check.attention.not_transposed": {
        "en": "Is a transpose missing: `q @ k.T`? Each score is the dot product of a row of `q` "
        "with a row of `k`.",
        "zh": "是不是少了转置：`q @ k.T`？每个分数是 `q` 的一行与 `k` 的一行的点积。",
    },
    "check.attention.product": {
        "en": "The shapes do not fit, `{error}`: is a transpose missing or misplaced? The scores "
        "are `q @ k.T`, the output is `weights @ v`.",
        "zh": "形状对不上：`{error}`。是不是少了转置，或者放错了地方？分数是 `q @ k.T`，"
        "输出是 `weights @ v`。",
    },
    "check.attention.exchanged": {
        "en": "Queries and keys have changed places: the scores have a row for each query and a "
        "column for each key, `q @ k.T`.",
        "zh": "查询和键弄反了：分数应当每个查询一行、每个键一列，即 `q @ k.T`。",
    },
    "check.attention.mask_after": {
        "en": "The mask comes after softmax, when the hidden keys have taken their share: the "
        "rows no longer sum to 1. Set the hidden *scores* to `-np.inf` first.",
        "zh": "掩码用在了 softmax 之后，被遮住的键已经分走了一份：每一行的和不再是 1。"
        "请先把被遮住的**分数**设为 `-np.inf`。",
    },
    "check.attention.mask_inverted": {
        "en": "The mask works the wrong way round: True means that the query *may* look.",
        "zh": "掩码用反了：True 表示查询**可以**看这个键。",
    },
    "check.attention.mask_ignored": {
        "en": "The mask is not used: keys that should be hidden have a weight.",
        "zh": "没有用到掩码：本该遮住的键也得到了权重。",
    },
    "check.attention.own_mask": {
        "en": "You made a mask of your own: use the argument `mask`, which need not be causal.",
        "zh": "你用的是自己造的掩码：请使用参数 `mask`，它不一定是因果掩码。",
    },
    "check.attention.mask_zero": {
        "en": "The hidden scores are not low enough: a score of 0 still gets a weight, since exp "
        "0 is 1. Only `-np.inf` gives 0.",
        "zh": "被遮住的分数还不够低：分数为 0 也会得到权重，因为 exp 0 是 1。只有 `-np.inf` "
        "才得到 0。",
    },
    "check.attention.not_softmax": {
        "en": "Your weights are still scores: softmax is missing.",
        "zh": "你的权重还是分数：缺了 softmax。",
    },
    "check.attention.only_weights": {
        "en": "Only the weights come back: return the output too, `return weights @ v, weights`.",
        "zh": "只返回了权重：请把输出也返回，`return weights @ v, weights`。",
    },
    "check.attention.only_output": {
        "en": "Only the output comes back: return the weights too, `return output, weights`.",
        "zh": "只返回了输出：请把权重也返回，`return output, weights`。",
    },
    "check.attention.swapped_order": {
        "en": "Output and weights have changed places: the output comes first.",
        "zh": "输出和权重放反了：输出在前。",
    },
    "check.attention.not_two": {
        "en": "A pair is wanted, `(output, weights)`; got `{got}`.",
        "zh": "这里需要两个结果 `(output, weights)`；收到的是 `{got}`。",
    },
    "check.attention.values_unused": {
        "en": "The output is not made from the values: it is the mean of the rows of `v`, "
        "weighted by `weights`.",
        "zh": "输出没有用到值，或没有用到权重：它应当是 `v` 各行按 `weights` 的加权平均。",
    },
    "check.attention.weights_transposed": {
        "en": "The output is taken with the weights transposed: each query is a *row* of the "
        "weights, so it is `weights @ v`.",
        "zh": "计算输出时权重被转置了：每个查询对应权重的一**行**，所以是 `weights @ v`。",
    },
    "check.attention.square_only": {
        "en": "It is right as long as there are as many queries as keys, and stops with `{error}` "
        "when there are not: take the sizes from `q` and `k` each, and the mask as it comes.",
        "zh": "查询和键一样多时是对的，不一样多时就报错：`{error}`。"
        "请分别从 `q` 和 `k` 取得大小，掩码直接用传入的。",
    },
    "check.attention.weights_shape": {
        "en": "The weights should have a row for each query and a column for each key, {wanted}; "
        "yours have {got}.",
        "zh": "权重应当每个查询一行、每个键一列，形状为 {wanted}；你得到的是 {got}。",
    },
    "check.attention.output_shape": {
        "en": "The output should have a row for each query and the width of the values, "
        "{wanted}; yours has {got}.",
        "zh": "输出应当每个查询一行，宽度与值相同，形状为 {wanted}；你得到的是 {got}。",
    },
    "check.attention.output": {
        "en": "The weights are right, but the output is not `weights @ v`.",
        "zh": "权重是对的，但输出不等于 `weights @ v`。",
    },
    "check.attention.weights": {
        "en": "The first weight that differs is {place}: got {got}, wanted {wanted}. Its row "
        "sums to {sum}.",
        "zh": "第一个不同的权重在 {place}：得到 {got}，应为 {wanted}。这一行的和是 {sum}。",
    },
    "hint.attention.nudge": {
        "en": "Four steps: compare and scale, hide, share out, average. Which one is softmax, and "
        "which must come before it?",
        "zh": "四步：比较并缩放、遮住、分配、求平均。softmax 是哪一步？哪几步必须在它之前？",
    },
    "hint.attention.formula": {
        "en": "`scores = q @ k.T / sqrt(d_k)`, minus infinity where `mask` is False; `weights = "
        "softmax(scores)`; `output = weights @ v`",
        "zh": "`scores = q @ k.T / sqrt(d_k)`，`mask` 为 False 处设为负无穷；`weights = "
        "softmax(scores)`；`output = weights @ v`",
    },
    # checks: a head that looks two words ahead
    "check.look_ahead.correct": {
        "en": "Every row that has a word two places ahead of it looks there, at widths 16, 32 and "
        "64.",
        "zh": "在宽度 16、32、64 下，凡是后面还有两个词的行，看的都是后面第二个词。",
    },
    "check.look_ahead.looks_back": {
        "en": "Your head looks two words *back*. Tokens are rows, so the query is `pe[pos] @ "
        "w_q`, and a rotation that stands on the right must be transposed, once.",
        "zh": "你的头看的是**前面**第二个词。词元是行，查询是 `pe[pos] @ w_q`，"
        "旋转矩阵写在右边时要转置，而且只转置一次。",
    },
    "check.look_ahead.one_ahead": {
        "en": "Your head looks one word ahead: turn by two positions.",
        "zh": "你的头看的是后一个词：请旋转两个位置。",
    },
    "check.look_ahead.one_back": {
        "en": "Your head looks one word back: turn by two positions, and the other way.",
        "zh": "你的头看的是前一个词：请旋转两个位置，而且方向相反。",
    },
    "check.look_ahead.itself": {
        "en": "Each row looks at itself, as with the identity: which matrix carries `pe[pos]` to "
        "`pe[pos + 2]`?",
        "zh": "每一行看的都是自己，就像用单位矩阵作投影一样："
        "哪个矩阵能把 `pe[pos]` 变成 `pe[pos + 2]`？",
    },
    "check.look_ahead.other_step": {
        "en": "Your head moves its gaze by {got} positions; two ahead is +2.",
        "zh": "你的头所看的位置，偏移是 {got}；要看后面第二个词，偏移应为 +2。",
    },
    "check.look_ahead.zeros": {
        "en": "Every entry is 0, so all scores are alike: the head looks nowhere.",
        "zh": "每个元素都是 0，所有分数都一样：这个头哪里也不看。",
    },
    "check.look_ahead.outer_d_model": {
        "en": "Whatever `d_model` is, your shape is {got}: did you use a `d_model` from outside "
        "the function, or a fixed number?",
        "zh": "无论 `d_model` 是多少，你的形状都是 {got}：是不是用了函数外面的 `d_model`，"
        "或者写死的数字？",
    },
    "check.look_ahead.some_rows": {
        "en": "At width {width}, a share of {share} of the rows looks two ahead; row {row} is the "
        "first that does not: it looks at {got}, not at {wanted}.",
        "zh": "在宽度 {width} 下，看对了后面第二个词的行，占比只有 {share}；第一个不对的是第 "
        "{row} 行："
        "它看的是第 {got} 行，而不是第 {wanted} 行。",
    },
    "hint.look_ahead.nudge": {
        "en": "The key at `pos + 2` is `pe[pos + 2]`, and a vector is most similar to itself: "
        "what should the query of row `pos` be?",
        "zh": "位置 `pos + 2` 处的键是 `pe[pos + 2]`，而向量和自己最相似：那么第 `pos` "
        "行的查询应当是什么？",
    },
    "hint.look_ahead.formula": {
        "en": "`pe[pos + 2] = R @ pe[pos]` for a column; for a row it is `pe[pos] @ R.T`",
        "zh": "写成列向量是 `pe[pos + 2] = R @ pe[pos]`；写成行向量则是 `pe[pos] @ R.T`",
    },
    # checks: the placebo
    "check.placebo.correct": {
        "en": "It passes: adding anything changes the weights, and a change says nothing about "
        "positions.",
        "zh": "能通过：加上任何东西都会改变权重，而权重变了并不说明与位置有关。",
    },
    "check.placebo.no": {
        "en": "It carries no position, and yet: does adding one vector to every token leave the "
        "weights as they were? Run the next cell.",
        "zh": "它确实不带任何位置信息；可是，给每个词元加上同一个向量，权重会保持不变吗？"
        "运行下一个单元格看看。",
    },
    "check.placebo.not_a_choice": {
        "en": 'Write "yes" or "no"; got `{got}`.',
        "zh": '请写 "yes"（能）或 "no"（不能）；收到的是 `{got}`。',
    },
    "hint.placebo.nudge": {
        "en": "The test asks how much the weights change, and not what has changed them.",
        "zh": "这个测试只问权重变了多少，不问是什么让它变的。",
    },
    "hint.placebo.formula": {
        "en": "`(x + c) @ (y + c) = x @ y + x @ c + c @ y + c @ c`: which of the four differs "
        "from key to key?",
        "zh": "展开 `(x + c) @ (y + c) = x @ y + x @ c + c @ y + c @ c`：四项里哪几项随键而变？",
    },
    # checks: the order gap
    "check.order_gap.correct": {
        "en": "It agrees at every trial: 0 where no order is seen, and the Frobenius norm of "
        "what is left over where it is.",
        "zh": "每次试验都一致：看不到顺序时为 0，看得到时等于余下差别的 Frobenius 范数。",
    },
    "check.order_gap.not_permuted": {
        "en": "You compare with the weights as they stood: when the tokens move, the weights move "
        "along, so permute rows and columns of `attend(x)` first.",
        "zh": "你拿来比较的是没有重排的权重：词元换了位置，权重也会跟着换，"
        "所以要先重排 `attend(x)` 的行和列。",
    },
    "check.order_gap.rows_only": {
        "en": "Only the rows are permuted: the keys have moved too, so the columns follow, "
        "`[order][:, order]`.",
        "zh": "只重排了行：键也换了位置，所以列也要重排，写作 `[order][:, order]`。",
    },
    "check.order_gap.columns_only": {
        "en": "Only the columns are permuted: the queries have moved too, so the rows follow, "
        "`[order][:, order]`.",
        "zh": "只重排了列：查询也换了位置，所以行也要重排，写作 `[order][:, order]`。",
    },
    "check.order_gap.diagonal_picked": {
        "en": "`[order, order]` picks one entry for each row: take `[order][:, order]`, or "
        "`[np.ix_(order, order)]`.",
        "zh": "`[order, order]` 每行只取出一个元素：要写成 `[order][:, order]`，或者 "
        "`[np.ix_(order, order)]`。",
    },
    "check.order_gap.inverse": {
        "en": "You permute the weights by the inverse of `order`: token `order[0]` now stands "
        "first, so row `order[0]` belongs first, `[order][:, order]`.",
        "zh": "你用 `order` 的逆置换重排了权重：现在排第一的是第 `order[0]` 个词元，所以第 "
        "`order[0]` 行要排在第一，写作 `[order][:, order]`。",
    },
    "check.order_gap.squared": {
        "en": "This is the square of the gap: the root is missing.",
        "zh": "这是顺序差的平方：少了开方。",
    },
    "check.order_gap.largest": {
        "en": "This is the largest single difference; the norm takes all of them: the root of "
        "the sum of squares.",
        "zh": "这是所有差值中最大的一个；范数要把每个差值都算进去：平方和的平方根。",
    },
    "check.order_gap.mean": {
        "en": "This is a mean; the Frobenius norm is the root of the *sum* of squares.",
        "zh": "这是平均值；Frobenius 范数是平方**和**的平方根。",
    },
    "check.order_gap.absolute": {
        "en": "This is the sum of the absolute differences; the Frobenius norm is the root of "
        "the sum of squares.",
        "zh": "这是差的绝对值之和；Frobenius 范数是平方和的平方根。",
    },
    "check.order_gap.plain_sum": {
        "en": "You add the differences up as they are, and they cancel, since each row sums to "
        "1: square them first, then sum, then take the root.",
        "zh": "你把差值直接相加，结果互相抵消了，因为每一行的和都是 1：请先平方，再求和、开方。",
    },
    "check.order_gap.spectral": {
        "en": "`np.linalg.norm(…, 2)` of a matrix is its largest singular value: leave out the 2.",
        "zh": "对矩阵来说，`np.linalg.norm(…, 2)` 是最大的奇异值：去掉那个 2。",
    },
    "check.order_gap.adds_encoding": {
        "en": "You add the encoding to `x` yourself: `attend` does that already, if its arm has "
        "one.",
        "zh": "你自己给 `x` 加了位置编码：如果需要，`attend` 里面已经加过了。",
    },
    "check.order_gap.always_zero": {
        "en": "Your gap is 0 even where order is seen: `attend` must see the permuted tokens, "
        "`attend(x[order])`.",
        "zh": "即使能看到顺序，你的顺序差也是 0：要让 `attend` 看到重排后的词元，写作 "
        "`attend(x[order])`。",
    },
    "check.order_gap.matrix": {
        "en": "You return the differences, of shape {got}: one number is wanted, their norm.",
        "zh": "你返回的是差值矩阵，形状为 {got}：这里要一个数，即它的范数。",
    },
    "check.order_gap.value": {
        "en": "For the order {order} you get {got}, wanted {wanted}. Take the weights of the "
        "reordered "
        "tokens, subtract the old weights with rows and columns reordered, then take the norm.",
        "zh": "重排顺序为 {order} 时你得到 {got}，应为 {wanted}。请用词元重排后的权重，"
        "减去行和列都重排过的原权重，再求范数。",
    },
    "check.order_gap.rounded": {
        "en": "Your value is rounded: return it as it is.",
        "zh": "你的值做了舍入：请原样返回。",
    },
    "check.order_gap.never_calls": {
        "en": "Your function never calls `attend`: ask it for the weights, of `x` and of "
        "`x[order]`.",
        "zh": "你的函数从没调用 `attend`：请用它求出 `x` 和 `x[order]` 的权重。",
    },
    "check.order_gap.order_ignored": {
        "en": "Whatever `order` is, you get the same number: use the argument, not an order of "
        "your own.",
        "zh": "无论 `order` 是什么，你得到的数都一样：请使用这个参数，不要另造一个顺序。",
    },
    "hint.order_gap.nudge": {
        "en": "If attention sees no order, what are the weights of the permuted tokens, seen from "
        "the weights of the others?",
        "zh": "如果注意力看不到顺序，词元重排后的权重，和原来的权重是什么关系？",
    },
    "hint.order_gap.formula": {
        "en": "`|| attend(x[order]) - attend(x)[order][:, order] ||`, the root of the sum of "
        "squares",
        "zh": "求 `|| attend(x[order]) - attend(x)[order][:, order] ||`，即平方和的平方根",
    },
    # checks: the learner's own test of order
    "check.sees_order.correct": {
        "en": "Your test says no to attention without positions and to the placebo, and yes to "
        "four encodings, a causal mask and attention by distance. It can fail, so it can prove "
        "something.",
        "zh": "你的测试对没有位置的注意力和安慰剂说“否”，对四种编码、"
        "因果掩码和只看距离的注意力说“是”。"
        "正因为它有可能失败，通过了才说明问题。",
    },
    "check.sees_order.never_calls": {
        "en": "Your test never calls `attend`: ask it for the weights of the tokens in two orders.",
        "zh": "你的测试从没调用 `attend`：请让它给出两种顺序下的权重。",
    },
    "check.sees_order.one_order": {
        "en": "You call `attend` on one order only: give it the tokens as they stand and "
        "permuted, `x` and `x[order]`, with an `order` that moves them, and compare the two.",
        "zh": "你只用一种顺序调用了 `attend`：请把原来的 `x` 和重排后的 `x[order]` 都交给它，"
        "其中 `order` 要能移动词元，再比较两个结果。",
    },
    "check.sees_order.always_true": {
        "en": "Your test says `True` to everything, even to attention without positions: when "
        "the tokens move, the weights move along, so permute rows and columns before you compare.",
        "zh": "你的测试对什么都说 `True`，连没有位置的注意力也一样：词元换了位置，"
        "权重也会跟着换，所以比较之前要重排行和列。",
    },
    "check.sees_order.always_false": {
        "en": "Your test says `False` to everything, even to the encoding: is your threshold too "
        "large, or do you compare a thing with itself?",
        "zh": "你的测试对什么都说 `False`，连位置编码也一样：是不是阈值太大了，"
        "或者拿一个结果和它自己作了比较？",
    },
    "check.sees_order.inverted": {
        "en": "Turned round: a gap *above* the threshold means that order is seen.",
        "zh": "弄反了：顺序差**大于**阈值，才说明看到了顺序。",
    },
    "check.sees_order.too_tight": {
        "en": "It takes rounding for order: without positions the two results differ in the last "
        "digits only, so compare with a tolerance such as 1e-9, not with `==`.",
        "zh": "它把舍入误差当成了顺序：没有位置时，两个结果只差在末几位，所以要用 1e-9 "
        "之类的容差来比较，不要用 `==`。",
    },
    "check.sees_order.none": {
        "en": "It says `True` to attention without positions, for tokens of shape {got}. There "
        "is nothing to see: your measure reads something else.",
        "zh": "词元的形状为 {got} 时，它对没有位置的注意力说了 `True`。那里没有顺序可看："
        "你测到的是别的东西。",
    },
    "check.sees_order.placebo": {
        "en": "The placebo slips through, for tokens of shape {got}: one vector for all changes "
        "the weights and carries no position. Measure what permuting does, and not a change of "
        "the weights.",
        "zh": "词元的形状为 {got} 时，安慰剂没被识破：给所有词元加同一个向量，权重会变，"
        "却不带位置信息。要测的是重排的效果，而不是权重的变化。",
    },
    "check.sees_order.missed": {
        "en": "It misses {name}, for tokens of shape {got}. Does your permutation change how far "
        "apart the tokens stand, and is your threshold near 1e-9?",
        "zh": "词元的形状为 {got} 时，它漏掉了这一种：{name}。你的置换改变了词元之间的距离吗？"
        "阈值是在 1e-9 左右吗？",
    },
    "sight.sinusoidal": {"en": "the sinusoidal encoding", "zh": "正弦位置编码"},
    "sight.shuffled": {
        "en": "the encoding with its rows shuffled, which still marks places",
        "zh": "打乱各行的位置编码（它仍然标出了位置）",
    },
    "sight.random": {"en": "a random vector for each position", "zh": "每个位置一个随机向量"},
    "sight.faint": {
        "en": "the encoding at a twentieth of its size: faint is not blind",
        "zh": "只有二十分之一大小的位置编码（微弱不等于没有）",
    },
    "sight.causal": {
        "en": "a causal mask without any encoding, which leaks the order",
        "zh": "没有位置编码的因果掩码（它会泄露顺序）",
    },
    "sight.distance": {
        "en": "attention that looks at distance only, which stays the same when the whole "
        "sentence is turned round",
        "zh": "只看距离的注意力（整句颠倒过来，距离不变）",
    },
    "hint.sees_order.nudge": {
        "en": "Which meter of this chapter reads 0 for the placebo, and above 0 for the encoding?",
        "zh": "本章哪个仪表对安慰剂的读数是 0，对位置编码的读数大于 0？",
    },
    "hint.sees_order.formula": {
        "en": "`order_gap(attend, x, order) > 1e-9`, with an `order` that moves the tokens",
        "zh": "判断 `order_gap(attend, x, order) > 1e-9`，其中 `order` 要能移动词元",
    },
    # checks: chance
    "check.chance.correct": {
        "en": "Exactly one half: a sentence and its twin have the same features and get the same "
        "answer, so one of the two is right.",
        "zh": "正好一半：一个句子和它的孪生句特征相同，得到的答案也相同，所以两者恰好对一个。",
    },
    "check.chance.reported": {
        "en": "0.53 is what the paper reports, and it cannot be: a sentence and its twin get the "
        "same answer. How many of the two are right?",
        "zh": "0.53 是论文报告的数，但在这里不可能得到它：一个句子和它的孪生句得到同样的答案。"
        "两者中对了几个？",
    },
    "check.chance.percent": {
        "en": "Right as a percentage: as a share it is between 0 and 1.",
        "zh": "按百分数算是对的，但这里要写成 0 和 1 之间的占比。",
    },
    "check.chance.never": {
        "en": "Always wrong would need the order, as always right would: a sentence and its twin "
        "get the "
        "same answer. How many of the two are right?",
        "zh": "总是错和总是对一样，都要先知道顺序：一个句子和它的孪生句得到同样的答案。"
        "两者中对了几个？",
    },
    "check.chance.always": {
        "en": "Always right would need the order, and pooled features do not hold it: a sentence "
        "and its twin get the same answer. How many of the two are right?",
        "zh": "总是对就需要知道顺序，而池化后的特征里没有顺序："
        "一个句子和它的孪生句得到同样的答案。两者中对了几个？",
    },
    "check.chance.nearly": {
        "en": "{got} is near, but here a theorem speaks and no measurement: give the exact number.",
        "zh": "{got} 很接近，但这里靠的是定理，不是测量：请给出精确的数。",
    },
    "check.chance.other": {
        "en": "{got} is not it: a sentence and its twin get the same answer. How many of the two "
        "are right?",
        "zh": "{got} 不对：一个句子和它的孪生句得到同样的答案。两者中对了几个？",
    },
    "check.chance.words": {
        "en": "A number is wanted, without words around it, and exact; got `{got}`.",
        "zh": "这里要一个精确的数，不要带别的文字；收到的是 `{got}`。",
    },
    "hint.chance.nudge": {
        "en": "Take a sentence and its twin, with A and B exchanged: do their pooled features "
        "differ?",
        "zh": "取一个句子和它的孪生句（A 与 B 互换）：两者池化后的特征有差别吗？",
    },
    "hint.chance.formula": {
        "en": "Same features, same answer: of the two, exactly one is right",
        "zh": "特征相同，答案就相同：两者恰好对一个",
    },
    # the handout as a script
    "demo.description": {
        "en": "Run the handout: its results with the true numbers, then a verdict on each claim.",
        "zh": "运行讲义：先给出各项结果的真实数值，再逐条核查讲义的说法。",
    },
    "demo.language": {
        "en": "language of the output; the default is that of the module, {default}",
        "zh": "输出所用的语言；默认与模块一致，即 {default}",
    },
    "demo.encoding": {
        "en": "Positional encoding (rows 0 and 1):",
        "zh": "位置编码矩阵（第 0、1 行）：",
    },
    "demo.sum": {
        "en": "Words plus positional encoding (rows 0 and 1):",
        "zh": "叠加位置编码后的输入（第 0、1 行）：",
    },
    "demo.weights_without": {
        "en": "Attention weights without positional encoding (row 0):",
        "zh": "无位置编码的注意力权重（第 0 行）：",
    },
    "demo.weights_with": {
        "en": "Attention weights with positional encoding (row 0):",
        "zh": "有位置编码的注意力权重（第 0 行）：",
    },
    "demo.difference": {
        "en": "Difference of the weights (Frobenius norm):",
        "zh": "权重矩阵差异（Frobenius 范数）：",
    },
    "demo.row_sums": {
        "en": "Sums of the rows of the weights (without, with):",
        "zh": "权重矩阵每行之和（无、有位置编码）：",
    },
    "demo.verdicts": {
        "en": "What the handout says -> what running it gives -> verdict",
        "zh": "讲义的说法 -> 运行的结果 -> 结论",
    },
    "demo.line": {
        "en": "{number}. {claim} -> {found} -> {verdict}",
        "zh": "{number}. {claim} -> {found} -> {verdict}",
    },
    "demo.holds": {"en": "holds", "zh": "成立"},
    "demo.fails": {"en": "does not hold", "zh": "不成立"},
    "demo.yes": {"en": "yes", "zh": "是"},
    "demo.no": {"en": "no", "zh": "否"},
    "claim.1": {
        "en": "Row 0 of the encoding is all zeros",
        "zh": "位置编码矩阵第 0 行全为零",
    },
    "claim.2": {"en": "Row 1 of the encoding is {row}", "zh": "位置编码矩阵第 1 行是 {row}"},
    "found.2": {
        "en": "{row}; missing from the handout's row: {missing}",
        "zh": "{row}；讲义的这一行缺了：{missing}",
    },
    "claim.weights_without": {
        "en": "The weights without positions begin with the row {row}",
        "zh": "无位置编码时，权重的首行是 {row}",
    },
    "claim.weights_with": {
        "en": "The weights with positions begin with the row {row}",
        "zh": "有位置编码时，权重的首行是 {row}",
    },
    "claim.5": {
        "en": "The Frobenius norm of the difference is {number}",
        "zh": "差异的 Frobenius 范数是 {number}",
    },
    "claim.6": {
        "en": "A difference above {threshold} shows that the position is used",
        "zh": "差异大于 {threshold} 就说明用到了位置",
    },
    "found.6": {
        "en": "one same vector added to every word carries no position, and gives {difference}; "
        "its order gap is {gap}",
        "zh": "给每个词加上同一个向量，不含任何位置信息，差异也有 {difference}；它的顺序差是 {gap}",
    },
    "claim.7": {
        "en": "Each row of the weights sums to 1",
        "zh": "权重矩阵每行之和均为 1",
    },
    "found.7": {
        "en": "{count} sums, from {low} to {high}",
        "zh": "共 {count} 个和，从 {low} 到 {high}",
    },
    "claim.8": {
        "en": "The output is deterministic, agrees exactly, and can verify an implementation",
        "zh": "输出是确定的，运行时数值完全一致，可用于验证实现",
    },
    "found.8": {
        "en": "two runs agree: {same}; of the handout's {count} printed results, its code gives "
        "{agree}",
        "zh": "两次运行一致：{same}；讲义印出的 {count} 项结果中，与代码相符的有 {agree} 项",
    },
    "claim.9": {
        "en": "(in the code) exp(scores) / sum(exp(scores)) gives the weights",
        "zh": "（代码中）exp(scores) / sum(exp(scores)) 就是权重",
    },
    "found.9": {
        "en": "with inputs 100 times larger, {broken} of {count} weights are nan; after "
        "subtracting the row maximum, {mended}",
        "zh": "输入放大 100 倍后，{count} 个权重中有 {broken} 个是 nan；"
        "先减去每行最大值，则有 {mended} 个",
    },
    "claim.10": {
        "en": "(in the code) d_model can be any number",
        "zh": "（代码中）d_model 可以取任意数",
    },
    "found.10": {
        "en": "d_model = {d_model} ends in a {error}: {need} cosines for {have} odd columns",
        "zh": "d_model = {d_model} 时出现 {error}：{need} 个余弦要放进 {have} 个奇数列",
    },
    "found.10_none": {"en": "d_model = {d_model} works", "zh": "d_model = {d_model} 可以运行"},
    "claim.11": {
        "en": "The row of the weights that is printed is row 1",
        "zh": "打印的是权重的第 1 行",
    },
    "found.11": {
        "en": "the code prints index 0, {row_0}; counted from 0, as the encoding's rows are, row 1 "
        "is {row_1}",
        "zh": "代码打印的是索引 0，即 {row_0}；若像编码矩阵那样从 0 数起，第 1 行是 {row_1}",
    },
    "claim.12": {
        "en": "The run shows one word at different positions getting different attention",
        "zh": "这次运行显示了：相同的词在不同位置得到不同的注意力分布",
    },
    "found.12": {
        "en": "its {count} words are {distinct} different vectors, so this was never tested; with "
        "the first word repeated, the repeated-word gap is {without} without positions and "
        "{with_pe} with them",
        "zh": "它的 {count} 个词是 {distinct} 个不同的向量，没有一个词重复，所以这一条从未检验过；"
        "让第一个词再出现一次，无位置编码时同词差是 {without}，有位置编码时是 {with_pe}",
    },
    # pictures: axes, colour bars, panels, and the line of numbers below
    "plot.no_font": {
        "en": "Pictures have English labels: no Chinese font is in use. Install zhplot, then run "
        "plots.use_style() again.",
        "zh": "图中文字暂用英文：没有可用的中文字体。请安装 zhplot，再运行一次 plots.use_style()。",
    },
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
    "plot.directions": {"en": "directions kept (count)", "zh": "保留的方向数（个）"},
    "plot.variance_share": {"en": "variance kept (share)", "zh": "保留的方差（占比）"},
    "plot.energy_share": {"en": "energy of the position (share)", "zh": "位置的能量（占比）"},
    "plot.largest_weight": {"en": "largest weight (share)", "zh": "最大权重（占比）"},
    "plot.width": {"en": "width d_k (columns)", "zh": "宽度 d_k（列数）"},
    "plot.scale": {"en": "scale (factor)", "zh": "缩放（倍数）"},
    "plot.meter": {"en": "reading (norm)", "zh": "读数（范数）"},
    "term.content_content": {"en": "content · content", "zh": "内容·内容"},
    "term.content_position": {"en": "content · position", "zh": "内容·位置"},
    "term.position_content": {"en": "position · content", "zh": "位置·内容"},
    "term.position_position": {"en": "position · position", "zh": "位置·位置"},
    "arm.none": {"en": "none", "zh": "无"},
    "arm.placebo": {"en": "placebo", "zh": "安慰剂"},
    "arm.sinusoidal": {"en": "sinusoidal", "zh": "正弦"},
    "arm.shuffled": {"en": "shuffled", "zh": "打乱"},
    "arm.random": {"en": "random", "zh": "随机"},
    "meter.frobenius": {"en": "Frobenius difference (norm)", "zh": "Frobenius 差（范数）"},
    "meter.order_gap": {"en": "order gap (norm)", "zh": "顺序差（范数）"},
    "meter.repeated_word_gap": {"en": "repeated-word gap (norm)", "zh": "同词差（范数）"},
    "meter.shift_gap": {"en": "shift gap (no unit)", "zh": "平移差（无单位）"},
    "curve.scaled": {"en": "scaled", "zh": "缩放"},
    "curve.unscaled": {"en": "unscaled", "zh": "不缩放"},
    "curve.frobenius_sinusoidal": {"en": "Frobenius, sinusoidal", "zh": "Frobenius 差，正弦"},
    "curve.order_gap_sinusoidal": {"en": "order gap, sinusoidal", "zh": "顺序差，正弦"},
    "curve.frobenius_placebo": {"en": "Frobenius, placebo", "zh": "Frobenius 差，安慰剂"},
    "curve.order_gap_placebo": {"en": "order gap, placebo", "zh": "顺序差，安慰剂"},
    "plot.column": {"en": "column {column}", "zh": "第 {column} 列"},
    "plot.pair": {"en": "pair i = {i}", "zh": "列对 i = {i}"},
    "plot.cosine_alone": {"en": "cosine", "zh": "余弦"},
    "plot.sine_alone": {"en": "sine", "zh": "正弦"},
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
    # explorers: the shared engine
    "explorer.reset": {"en": "reset", "zh": "重置"},
    "explorer.play": {"en": "play", "zh": "播放"},
    "explorer.refused": {
        "en": "nothing has changed: {message}",
        "zh": "没有改动：{message}",
    },
    "explorer.still": {
        "en": "This picture does not move: its sliders need ipywidgets 8 or newer, and "
        "jupyterlab_widgets. Run `python -m pip install --upgrade ipywidgets jupyterlab_widgets`, "
        "then start JupyterLab again.",
        "zh": "这幅图不会动：它的滑块需要 ipywidgets 8 或更新的版本，还需要 jupyterlab_widgets。"
        "请运行 `python -m pip install --upgrade ipywidgets jupyterlab_widgets`，"
        "再重新启动 JupyterLab。",
    },
    "explorer.heat_map": {
        "en": "heat map of the encoding: position down, dimension across",
        "zh": "编码的热图：位置向下，维度向右",
    },
    "explorer.waves": {
        "en": "waves: a few columns of the encoding against position",
        "zh": "波形：编码的几列随位置的变化",
    },
    "explorer.similarity": {
        "en": "similarity of two positions against their offset",
        "zh": "两个位置的相似度随偏移的变化",
    },
    "explorer.clock_hands": {
        "en": "dials: one hand for each pair of columns",
        "zh": "表盘：每个列对一根指针",
    },
    "error.control": {
        "en": "there is no such control: got {got}, try one of {known}",
        "zh": "没有这个控件：收到的是 {got}，可以试试 {known}",
    },
    "error.choice": {
        "en": "{name} must be one of {known}; got {got}",
        "zh": "{name} 只能是 {known} 之一；收到的是 {got}",
    },
    "error.range": {
        "en": "{name} must lie between {low} and {high} here; got {got}",
        "zh": "{name} 在这里必须介于 {low} 和 {high} 之间；收到的是 {got}",
    },
    # explorers: chapter 1
    "explorer.sum": {
        "en": "heat map of words plus positions: position down, dimension across",
        "zh": "词向量加位置编码的热图：位置向下，维度向右",
    },
    "explorer.weights": {
        "en": "attention weights: query down, key across",
        "zh": "注意力权重：查询向下，键向右",
    },
    "explorer.meters": {"en": "readings", "zh": "读数"},
    "explorer.mean_weights": {"en": "mean weight", "zh": "平均权重"},
    "meter.energy_share": {"en": "energy of the position (share)", "zh": "位置的能量（占比）"},
    "meter.words_read": {"en": "words read back (share)", "zh": "读回的词（占比）"},
    "meter.positions_read": {"en": "positions read back (share)", "zh": "读回的位置（占比）"},
    "meter.back_0": {"en": "on itself", "zh": "落在自身"},
    "meter.back_1": {"en": "one word back", "zh": "落在前一个词"},
    "meter.back_3": {"en": "three words back", "zh": "落在前面第三个词"},
    "add.scale": {"en": "scale of the words", "zh": "词向量的缩放"},
    "add.summary": {
        "en": "seq_len {seq_len}, d_model {d_model}, scale {scale}: the position has {share} "
        "of the energy",
        "zh": "seq_len {seq_len}，d_model {d_model}，缩放 {scale}：位置占能量的 {share}",
    },
    "attend.head": {"en": "head", "zh": "注意力头"},
    "attend.back_1": {"en": "one back", "zh": "看前一个词"},
    "attend.back_3": {"en": "three back", "zh": "看前面第三个词"},
    "attend.same": {"en": "q = k = x", "zh": "q = k = x"},
    "attend.random": {"en": "random", "zh": "随机投影"},
    "attend.mask": {"en": "hide the future (causal mask)", "zh": "遮住未来（因果掩码）"},
    "attend.temperature": {"en": "temperature", "zh": "温度"},
    "attend.words": {"en": "strength of the words", "zh": "词向量的强度"},
    "attend.summary": {
        "en": "seq_len {seq_len}, d_model {d_model}: mean weight {itself} on itself, {one} one "
        "back, {three} three back",
        "zh": "seq_len {seq_len}，d_model {d_model}：平均权重，自身 {itself}，前一个词 {one}，"
        "前面第三个词 {three}",
    },
    "compare.arm": {"en": "arm", "zh": "组别"},
    "compare.scale": {"en": "scale of what is added", "zh": "所加向量的缩放"},
    "compare.seed": {"en": "seed", "zh": "随机种子"},
    "compare.without": {"en": "weights without it", "zh": "不加时的权重"},
    "compare.with": {"en": "weights with it", "zh": "加上后的权重"},
    "compare.summary": {
        "en": "{arm}, seq_len {seq_len}: Frobenius difference {frobenius}, order gap {order}, "
        "repeated-word gap {word}",
        "zh": "{arm}，seq_len {seq_len}：Frobenius 差 {frobenius}，顺序差 {order}，同词差 {word}",
    },
    "encode.view": {"en": "view", "zh": "视图"},
    "encode.view_heat_map": {"en": "heat map", "zh": "热图"},
    "encode.view_waves": {"en": "waves", "zh": "波形"},
    "encode.view_similarity": {"en": "similarity", "zh": "相似度"},
    "encode.seq_len": {"en": "positions: seq_len", "zh": "位置数 seq_len"},
    "encode.d_model": {"en": "width: d_model", "zh": "宽度 d_model"},
    "encode.base": {"en": "base", "zh": "底数 base"},
    "encode.start": {
        "en": "seq_len {seq_len}, d_model {d_model}, base {base}: ",
        "zh": "seq_len {seq_len}，d_model {d_model}，base {base}：",
    },
    "encode.heat_map": {
        "en": "values from {low} to {high}; one turn takes {short} positions in the fastest pair "
        "and {long} in the slowest",
        "zh": "数值从 {low} 到 {high}；最快的列对每 {short} 个位置转一圈，"
        "最慢的每 {long} 个位置转一圈",
    },
    "encode.waves": {
        "en": "columns {columns}, one turn takes {lengths} positions",
        "zh": "第 {columns} 列，转一圈分别需要 {lengths} 个位置",
    },
    "encode.alone": {
        "en": "a single position has nothing to be compared with",
        "zh": "只有一个位置，没有可比较的对象",
    },
    "encode.rise": {
        "en": "going away from a position, similarity falls up to offset {offset} "
        "and rises again; ",
        "zh": "从一个位置往外看，相似度一直下降，到偏移 {offset} 处开始回升；",
    },
    "encode.no_rise": {
        "en": "going away from a position, similarity only falls here; ",
        "zh": "从一个位置往外看，相似度在这个范围内一直下降；",
    },
    "encode.nearest": {
        "en": "the most similar other position stands at offset {offset} ({value})",
        "zh": "与它最相似的另一个位置在偏移 {offset} 处（{value}）",
    },
    "encode.pos": {"en": "position: pos", "zh": "位置 pos"},
    "encode.clock_hands": {
        "en": "pos {pos}, base {base}: the four hands have made {first}, {second}, {third} "
        "and {fourth} turns",
        "zh": "pos {pos}，base {base}：四根指针分别转了 {first}、{second}、{third}、{fourth} 圈",
    },
    # pages to read without a kernel
    "page.course": {
        "en": "Positional encoding in self-attention",
        "zh": "自注意力中的位置编码",
    },
    "page.glossary": {"en": "Glossary", "zh": "术语表"},
    "page.questions": {"en": "Questions that learners ask", "zh": "学习者常问的问题"},
    "page.skip": {"en": "Skip to the text", "zh": "跳到正文"},
    "page.output": {"en": "Output", "zh": "输出"},
    "page.table": {"en": "Table", "zh": "表格"},
    "page.formula": {"en": "Formula", "zh": "公式"},
    "page.reveal": {
        "en": "Predict first, then open the output",
        "zh": "先作预测，再打开输出",
    },
    "page.moves": {
        "en": "In JupyterLab, sliders move this picture.",
        "zh": "在 JupyterLab 中，可以用滑块改变这幅图。",
    },
    "page.built": {
        "en": "{count} pages; open {first} in a browser",
        "zh": "共 {count} 个网页；请用浏览器打开 {first}",
    },
}
