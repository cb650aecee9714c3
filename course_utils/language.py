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
    # checks: the feedback of the exercises
    "check.state.not attempted": {"en": "Not attempted yet", "zh": "尚未作答"},
    "check.state.incorrect": {"en": "Not yet", "zh": "还不对"},
    "check.state.correct": {"en": "Correct", "zh": "正确"},
    "check.told": {"en": "{state}: {message}", "zh": "{state}：{message}"},
    "check.printed": {
        "en": "{message} (What your code printed was set aside: only what it returns counts.)",
        "zh": "{message}（你的代码打印的内容已被略去：只看返回值。）",
    },
    "check.hint.nudge": {"en": "Hint 1: a nudge", "zh": "提示一：想一想"},
    "check.hint.formula": {"en": "Hint 2: the formula", "zh": "提示二：公式"},
    "check.hint.code": {"en": "Hint 3: the code", "zh": "提示三：代码"},
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
        "en": "Called with ({call}), your code stopped with `{name}: {error}`",
        "zh": "用 ({call}) 调用时，你的代码中断了：`{name}: {error}`",
    },
    "check.any.recursion": {
        "en": "Called with ({call}), your function calls itself without end.",
        "zh": "用 ({call}) 调用时，你的函数不停地调用自己，没有尽头。",
    },
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
    "check.any.not_finite": {
        "en": "The number at {place} is not finite: look for a division by zero or an overflow.",
        "zh": "{place} 处的数不是有限数：看看是否除以了零，或者数值溢出了。",
    },
    "check.any.shape": {
        "en": "The shape should be {wanted}; yours is {got}.",
        "zh": "形状应为 {wanted}；你得到的是 {got}。",
    },
    "check.any.not_understood": {
        "en": "This answer could not be read (`{error}`): an array or a plain number is easiest.",
        "zh": "无法读懂这个答案（`{error}`）：用数组或普通的数字最稳妥。",
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
        "zh": "你的矩阵放倒了：位置沿行向下，维度沿列向右。形状应为 {wanted}；你得到的是 {got}。",
    },
    "check.encoding.doubled_exponent": {
        "en": "Over 2π, your slowest wave is the square of the right one: is the exponent "
        "doubled? If `i` already runs over the columns 0, 2, 4, …, the exponent is `i / d_model`.",
        "zh": "除以 2π 之后，你最慢的波的波长是正确值的平方：指数是不是乘了两次 2？"
        "如果 `i` 已经取 0、2、4……这些列号，指数就是 `i / d_model`。",
    },
    "check.encoding.halved_exponent": {
        "en": "Your exponent is half of the right one, so base 10000 acts like base 100: with the "
        "pair index `i` it is `2 * i / d_model`.",
        "zh": "你的指数只有正确值的一半，于是底数 10000 的效果变成了 100："
        "用列对下标 `i` 时，指数应为 `2 * i / d_model`。",
    },
    "check.encoding.unpaired": {
        "en": "In your matrix a sine and its cosine have different frequencies. Columns `2 * i` "
        "and `2 * i + 1` are a pair: both take the angle of the even column.",
        "zh": "你的正弦和与它配对的余弦频率不同。第 `2 * i` 列和第 `2 * i + 1` 列是一对："
        "两列都用偶数列的角度。",
    },
    "check.encoding.exponent_sign": {
        "en": "Your frequencies grow from pair to pair, and should fall: divide by the power of "
        "10000, or give the exponent a minus sign.",
        "zh": "你的频率逐对增大，而它应当逐对减小：请除以 10000 的幂，或给指数加上负号。",
    },
    "check.encoding.stretched": {
        "en": "Your slowest frequency is exactly 1/10000: the exponents run all the way to 1. In "
        "the formula they are divided by `d_model`, and stop at `(d_model - 2) / d_model`.",
        "zh": "你最慢的频率恰好是 1/10000：指数一直取到了 1。公式里除以的是 `d_model`，"
        "指数只到 `(d_model - 2) / d_model`。",
    },
    "check.encoding.base": {
        "en": "These are the waves of base {base}; the formula's base is 10000. Count the zeros.",
        "zh": "这是底数为 {base} 的波；公式里的底数是 10000。数一数有几个零。",
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
        'course interleaves them, sine beside cosine; with `layout="halves"` yours is accepted.',
        "zh": "这是同一种编码的另一种排列：先放所有正弦，再放所有余弦。"
        '本课程把它们交错排列，正弦旁边是余弦；加上 `layout="halves"`，你的写法就能通过。',
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
        "en": "Every entry is 0: the matrix was made, and never filled.",
        "zh": "每个元素都是 0：矩阵建好了，却没有填进内容。",
    },
    "check.encoding.one_row": {
        "en": "All your rows are the same: every position gets one vector. The angle needs `pos`, "
        "as a column of shape (seq_len, 1).",
        "zh": "所有行都一样：每个位置得到的是同一个向量。角度里要有 `pos`，"
        "写成形状为 (seq_len, 1) 的一列。",
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
        "zh": "每一对的两列都是正弦：奇数列应取同一角度的余弦。",
    },
    "check.encoding.cosine_only": {
        "en": "Both columns of each pair hold the cosine: the even column takes the sine of the "
        "same angle.",
        "zh": "每一对的两列都是余弦：偶数列应取同一角度的正弦。",
    },
    "check.encoding.sign_flipped": {
        "en": "The waves are right but for a sign: look for a minus in front of the angle, the "
        "sine or the cosine.",
        "zh": "波形是对的，只差一个正负号：看看角度、正弦或余弦前面是否多了负号。",
    },
    "check.encoding.normalised": {
        "en": "Your positions are divided by the length. The formula takes the position itself, "
        "0, 1, 2, …, so that a row does not depend on how long the sentence is.",
        "zh": "你的位置除以了长度。公式用的是位置本身：0、1、2……，"
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
        "zh": "每一对列是一根钟表指针：在位置 `pos` 处它的角度是多少？哪两个数说明指针尖在哪里？",
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
        "en": "Row 0 is not all zeros, though the handout says so: sin 0 is 0, but what is cos 0?",
        "zh": "第 0 行并不全是 0，尽管讲义是这么写的：sin 0 是 0，那 cos 0 呢？",
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
        "zh": "数字都对，只是排列不同：先正弦后余弦。本课程把每个余弦放在它的正弦旁边。",
    },
    "check.row_zero.wrong_length": {
        "en": "With `d_model = 8`, row 0 has 8 numbers, one for each column; yours has {got}.",
        "zh": "`d_model = 8` 时，第 0 行有 8 个数，每列一个；你给了 {got} 个。",
    },
    "check.row_zero.one_entry": {
        "en": "Column {column} is the first that differs: it holds a {wave} of the angle 0, "
        "which is not {got}.",
        "zh": "第 {column} 列是第一个不同的：它放的是角度 0 的{wave}，不是 {got}。",
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
        "en": "Your detector calls every matrix right, even one of zeros: compare `pe` with "
        "something, and return the outcome.",
        "zh": "你的检测函数认为所有矩阵都对，连全 0 的也算：请把 `pe` 和某个东西比较，"
        "并返回比较结果。",
    },
    "check.detector.always_false": {
        "en": "Your detector accepts no encoding at all, not even the right one: print what each "
        "of your two assertions says for it.",
        "zh": "你的检测函数不接受任何编码，连正确的也不接受：对正确的编码，"
        "打印两条断言各自的结果看看。",
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
        "zh": "你的检测函数因 `AssertionError` 而中断；它应当返回 `False`，"
        "这样才能连续检查许多矩阵。",
    },
    "check.detector.not_a_bool": {
        "en": "Your detector should return one `True` or `False`; got `{got}`. `np.all(...)` makes "
        "one of many.",
        "zh": "你的检测函数应当返回一个 `True` 或 `False`；收到的是 `{got}`。"
        "`np.all(...)` 能把许多个合成一个。",
    },
    "shows.row_zero": {
        "en": "Row 0 would have shown it: it is not 0, 1, 0, 1, …",
        "zh": "看第 0 行就能发现：它不是 0、1、0、1……",
    },
    "shows.rotation": {
        "en": "Its row 0 is right; turning each row by one position would have shown it.",
        "zh": "它的第 0 行是对的；把每一行旋转一个位置再比较，就能发现。",
    },
    "wrong.doubled_exponent": {"en": "a doubled exponent", "zh": "指数多乘了一个 2"},
    "wrong.halved_exponent": {"en": "`i` in place of `2 * i`", "zh": "把 `2 * i` 写成了 `i`"},
    "wrong.unpaired": {"en": "a frequency for each column", "zh": "每一列各用一个频率"},
    "wrong.exponent_sign": {"en": "frequencies that grow", "zh": "频率越来越高"},
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
        "en": "the right encoding with one entry off by 0.001, so a tolerance is too wide or "
        "some rows are never looked at",
        "zh": "正确的编码里有一个元素差了 0.001，说明容差太大，或者有些行没有检查",
    },
    "wrong.last_row": {
        "en": "the right encoding with one entry of its last row off by 0.001",
        "zh": "正确的编码里最后一行有一个元素差了 0.001",
    },
    "hint.detector.nudge": {
        "en": "Two assertions fix the whole matrix: how does it begin, and how does it go on from "
        "one row to the next?",
        "zh": "两条断言就能确定整个矩阵：它如何开始？又如何从一行走到下一行？",
    },
    "hint.detector.formula": {
        "en": "`pe[0]` is 0, 1, 0, 1, … and `pe[pos + 1] == R @ pe[pos]` with "
        "`R = rotation_matrix(1, d_model)`, up to 1e-9",
        "zh": "`pe[0]` 是 0、1、0、1……，并且 `pe[pos + 1] == R @ pe[pos]`，其中 "
        "`R = rotation_matrix(1, d_model)`，误差不超过 1e-9",
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
        "zh": "它适用于正弦在前、余弦在后的排列。这里正弦旁边就是余弦，"
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
        "en": "Every pair turns by the same angle, `offset`: pair `i` has its own frequency "
        "`omega[i]`.",
        "zh": "每一对都转了同样的角度 `offset`：第 `i` 对有自己的频率 `omega[i]`。",
    },
    "check.rotation.doubled_exponent": {
        "en": "The slow pairs turn too slowly: is the exponent doubled? For pair `i` it is "
        "`-2 * i / d_model`.",
        "zh": "慢的那几对转得太慢了：指数是不是乘了两次 2？第 `i` 对的指数是 `-2 * i / d_model`。",
    },
    "check.rotation.halved_exponent": {
        "en": "The slow pairs turn too fast: the exponent is half of the right one. For pair `i` "
        "it is `-2 * i / d_model`.",
        "zh": "慢的那几对转得太快了：指数只有正确值的一半。第 `i` 对的指数是 `-2 * i / d_model`。",
    },
    "check.rotation.exponent_sign": {
        "en": "The frequencies grow from pair to pair, and should fall: the exponent lacks its "
        "minus sign.",
        "zh": "频率逐对增大，而它应当逐对减小：指数少了负号。",
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
        "zh": "前进 `offset` 个位置，就是给每根指针加上一个角度：和角的正弦、余弦公式是什么？",
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
        "zh": "最慢的一对要走这么多个位置才转完一圈：还不到常说的 10000·2π 的三分之一。",
    },
    "check.longest_wavelength.folklore": {
        "en": "That is 10000·2π, which one often reads; but the last pair is `i = 7`, so the "
        "exponent stops at 14/16 and never reaches 1.",
        "zh": "这是常说的 10000·2π；但最后一对是 `i = 7`，所以指数只到 14/16，取不到 1。",
    },
    "check.longest_wavelength.no_turn": {
        "en": "After that many positions the angle is 1 radian; a whole turn is 2π of them.",
        "zh": "走过这么多个位置，角度才到 1 弧度；转完一圈是 2π 弧度。",
    },
    "check.longest_wavelength.frequency": {
        "en": "That is the slowest frequency, in radians per position; the wavelength is 2π "
        "divided by it.",
        "zh": "这是最慢的频率，单位是弧度每位置；波长等于 2π 除以它。",
    },
    "check.longest_wavelength.shortest": {
        "en": "2π is the shortest wavelength, that of pair 0; the longest belongs to the last "
        "pair.",
        "zh": "2π 是最短的波长，属于第 0 对；最长的属于最后一对。",
    },
    "check.longest_wavelength.base_only": {
        "en": "10000 is the base; the wavelength of pair `i` is 2π times a power of it.",
        "zh": "10000 是底数；第 `i` 对的波长是 2π 乘以它的某个幂。",
    },
    "check.longest_wavelength.width_8": {
        "en": "That is the longest wavelength for `d_model = 8`; with 16 columns the last pair is "
        "`i = 7`.",
        "zh": "这是 `d_model = 8` 时的最长波长；有 16 列时，最后一对是 `i = 7`。",
    },
    "check.longest_wavelength.column_index": {
        "en": "Your exponent is 15/16, that of the last column; a pair takes the exponent of its "
        "even column, 14.",
        "zh": "你的指数是 15/16，用了最后一列的列号；一对用的是其中偶数列的列号 14。",
    },
    "check.longest_wavelength.halved_exponent": {
        "en": "Your exponent is 7/16, half of the right one: for pair `i` it is `2 * i / 16`.",
        "zh": "你的指数是 7/16，只有正确值的一半：第 `i` 对的指数是 `2 * i / 16`。",
    },
    "check.longest_wavelength.doubled_exponent": {
        "en": "Your exponent is 28/16, twice the right one: for pair `i` it is `2 * i / 16`.",
        "zh": "你的指数是 28/16，是正确值的两倍：第 `i` 对的指数是 `2 * i / 16`。",
    },
    "check.longest_wavelength.not_a_number": {
        "en": "One number is wanted, in positions; got `{got}`.",
        "zh": "这里需要一个数，单位是位置；收到的是 `{got}`。",
    },
    "check.longest_wavelength.too_long": {
        "en": "{got} is too long: write down the frequency of the last pair first.",
        "zh": "{got} 太长了：先写出最后一对的频率。",
    },
    "check.longest_wavelength.too_short": {
        "en": "{got} is too short: write down the frequency of the last pair first.",
        "zh": "{got} 太短了：先写出最后一对的频率。",
    },
    "hint.longest_wavelength.nudge": {
        "en": "Which pair turns slowest, and how far does it turn in one position?",
        "zh": "哪一对转得最慢？每走一个位置，它转过多少？",
    },
    "hint.longest_wavelength.formula": {
        "en": "`wavelength = 2π / omega[i]` with `omega[i] = 10000 ** (-2 * i / d_model)`, for the "
        "last `i`, which is `d_model / 2 - 1`",
        "zh": "`wavelength = 2π / omega[i]`，其中 `omega[i] = 10000 ** (-2 * i / d_model)`，"
        "取最后一个 `i`，即 `d_model / 2 - 1`",
    },
    # the handout as a script
    "demo.description": {
        "en": "Run the handout: its results with the true numbers, then a verdict on each claim.",
        "zh": "运行讲义：先给出各项结果的真实数值，再逐条核对讲义的说法。",
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
        "zh": "位置编码矩阵第 0 行全为 0",
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
        "zh": "给每个词加上同一个向量，不含任何位置信息，差异也有 {difference}；"
        "它的顺序差距是 {gap}",
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
        "the first word repeated, the gap is {without} without positions and {with_pe} with them",
        "zh": "它的 {count} 个词是 {distinct} 个不同的向量，所以从未检验过；让第一个词再出现一次，"
        "无位置编码时差距是 {without}，有位置编码时是 {with_pe}",
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
    "plot.directions": {"en": "directions kept (count)", "zh": "保留的方向数（个）"},
    "plot.variance_share": {"en": "variance kept (share)", "zh": "保留的方差（占比）"},
    "plot.energy_share": {"en": "energy of the position (share)", "zh": "位置的能量（占比）"},
    "plot.largest_weight": {"en": "largest weight (share)", "zh": "最大权重（占比）"},
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
    "curve.frobenius_sinusoidal": {"en": "Frobenius, sinusoidal", "zh": "Frobenius 差，正弦"},
    "curve.order_gap_sinusoidal": {"en": "order gap, sinusoidal", "zh": "顺序差，正弦"},
    "curve.frobenius_placebo": {"en": "Frobenius, placebo", "zh": "Frobenius 差，安慰剂"},
    "curve.order_gap_placebo": {"en": "order gap, placebo", "zh": "顺序差，安慰剂"},
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
    # explorers: the shared mechanism
    "explorer.reset": {"en": "reset", "zh": "重置"},
    "explorer.refused": {
        "en": "nothing has changed: {message}",
        "zh": "保持原样：{message}",
    },
    "explorer.heat_map": {
        "en": "heat map of the encoding: position down, dimension across",
        "zh": "编码的热图：位置向下，维度向右",
    },
    "explorer.waves": {
        "en": "four columns of the encoding against position",
        "zh": "编码的四列随位置的变化",
    },
    "explorer.similarity": {
        "en": "similarity of two positions against their offset",
        "zh": "两个位置的相似度随偏移的变化",
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
        "zh": "数值从 {low} 到 {high}；最快的一对每 {short} 个位置转一圈，最慢的一对每 {long} 个",
    },
    "encode.waves": {
        "en": "columns {columns} take {lengths} positions for one turn",
        "zh": "第 {columns} 列转一圈分别需要 {lengths} 个位置",
    },
    "encode.wave_0": {"en": "column 0", "zh": "第 0 列"},
    "encode.wave_1": {"en": "at 1/4 of d_model", "zh": "d_model 的 1/4 处"},
    "encode.wave_2": {"en": "at 1/2 of d_model", "zh": "d_model 的 1/2 处"},
    "encode.wave_3": {"en": "at 3/4 of d_model", "zh": "d_model 的 3/4 处"},
    "encode.alone": {
        "en": "a single position has nothing to be compared with",
        "zh": "只有一个位置，没有可比较的对象",
    },
    "encode.rise": {
        "en": "going away from a position, similarity falls up to offset {offset} "
        "and rises again; ",
        "zh": "离开一个位置向外走，相似度一直降到偏移 {offset} 处，然后回升；",
    },
    "encode.no_rise": {
        "en": "going away from a position, similarity only falls here; ",
        "zh": "离开一个位置向外走，相似度在这个范围内一直下降；",
    },
    "encode.nearest": {
        "en": "the most similar other position stands at offset {offset} ({value})",
        "zh": "与它最相似的另一个位置在偏移 {offset} 处（{value}）",
    },
}
