"""What a secret looks like: one table. Each rule is tried only where one of its needles stands.

No pattern can run away: every repetition is bounded or possessive, and a run of characters is
entered once only, so that a line of a megabyte takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

Check = Callable[[re.Match[str]], bool]


@dataclass(frozen=True)
class Rule:
    """`needles` are lower case. What group `secret` (else all) matched becomes `[REDACTED:kind]`
    where `check` agrees."""

    kind: str
    needles: tuple[str, ...]
    pattern: re.Pattern[str]
    check: Check | None = None


def token(kind: str, shape: tuple[str, str], *needles: str, check: Check | None = None) -> Rule:
    """A rule for a key that is known by its prefix. `shape`: prefixes, and what follows one."""
    prefixes, body = shape
    pattern = re.compile(rf"(?<![A-Za-z0-9])(?P<secret>(?:{prefixes}){body}+)(?![A-Za-z0-9])")
    return Rule(kind, needles, pattern, check)


def looks_random(match: re.Match[str]) -> bool:
    """Letters and digits in one unbroken run: no words joined by hyphens."""
    runs = re.findall(r"[A-Za-z0-9]{10,}", match["secret"])
    return any(_mixed(run) for run in runs)


def has_digit_and_letter(match: re.Match[str]) -> bool:
    """A credential and not a word."""
    return _mixed(match["secret"])


def _mixed(text: str) -> bool:
    return any(c.isdigit() for c in text) and any(c.isalpha() for c in text)


# --- values of assignments ---------------------------------------------------------------------

_NOT_VALUES = {
    "str", "string", "text", "bytes", "bool", "boolean", "int", "integer", "number", "none",
    "null", "nil", "true", "false", "undefined", "any", "object", "optional", "required",
    "missing", "invalid", "incorrect", "wrong", "empty", "unset", "hidden", "masked", "redacted",
    "password", "passwd", "pwd", "passphrase", "passcode", "secret", "token", "value", "input",
    "field", "prompt", "here", "below", "above", "example", "placeholder", "changed", "expired",
    "reset", "correct", "accepted", "rejected", "protected", "encrypted", "hashed", "must",
    "should", "cannot", "the", "a", "an", "in", "on", "at", "to", "for", "is", "are", "was",
    "not", "and", "or", "your", "my", "our", "via", "with", "from", "bcrypt", "argon2", "scrypt",
    "sha256", "base64", "plaintext", "secretstr", "varchar", "char", "self", "this", "args",
    "kwargs",
}  # fmt: skip
_REFERENCE = re.compile(
    r"\$|%[A-Za-z_(]|\{|<|\[REDACTED|\*{3}|x{4,}|\.{3}|os\.|process\.|env[.\[(:]|getenv|ENV\[|your[_-]",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(
    r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[A-Z][A-Z0-9_]*_[A-Z0-9_]+|[a-z]+(?:_[a-z]+)+"
)
_ASKS = re.compile(r"怎么|怎样|如何|什么|为何|为啥|哪[里儿个些]|[吗呢？?]|能否|是否|可否|请|多少")
_CODE = re.compile(r"\(|^[\w.]+\[")
_NAME = re.compile(r"[a-z]+(?:Pass|Pwd|_pass|_pwd)\w*")  # of a field, as in `db_password`
_PAGING = ("page", "page_", "page-", "next", "next_", "sync_", "csrf_", "max_", "bpe_")


def _value(match: re.Match[str]) -> tuple[str, bool]:
    """What was assigned, and whether it stood in quotes."""
    text = match["secret"]
    return text, bool(match["quote"])


def is_password(match: re.Match[str]) -> bool:
    """Whether what follows `password=` is one: no type, no reference to it, no sentence."""
    value, quoted = _value(match)
    bare = value.strip("'\"`.,!?")
    if len(bare) < 3 or bare.casefold() in _NOT_VALUES or _REFERENCE.match(value):
        return False
    if _is_question(value, quoted=quoted):
        return False
    if quoted:
        return not _is_label(bare, match["sep"])
    if _CODE.search(value) or _IDENTIFIER.fullmatch(bare):
        return False
    if match["key"].casefold() == "pwd" and value[0] in "/~.":
        return False  # the working directory
    return not (bare.isalpha() and match["sep"].strip() in (":", "：", ""))


def _is_question(text: str, *, quoted: bool) -> bool:
    """Chinese prose after `忘记密码：`. In quotes it may be a password all the same, if it asks
    nothing."""
    if text[0].isascii():
        return False
    return bool(_ASKS.search(text)) or (not quoted and text.rstrip("。？！…~").isalpha())


def _is_label(text: str, separator: str) -> bool:
    """A label or a prompt in a user interface, not a password."""
    if " " in text:
        return separator.strip() != "=" or bool(re.search(r"(?i)pass|enter|your|密码|口令", text))
    return bool(re.fullmatch(r"[A-Z][a-z]+", text) or _NAME.fullmatch(text))


def is_secret(match: re.Match[str]) -> bool:
    """Whether what follows `api_key=`, `token:` … is a key and no count, name or reference."""
    value, quoted = _value(match)
    before = match.string[max(0, match.start() - 5) : match.start()].casefold()
    if before.endswith(_PAGING) or _REFERENCE.match(value) or len(value) < 8:
        return False
    if _is_question(value, quoted=quoted):
        return False
    if not quoted and (_CODE.search(value) or _IDENTIFIER.fullmatch(value)):
        return False
    return " " not in value and _mixed(value)


def is_spoken(match: re.Match[str]) -> bool:
    """`the password is …`: only what no English word looks like."""
    value = match["secret"].rstrip(".,!?)]}:;'\"`")
    if _CODE.search(value) or value.casefold() in _NOT_VALUES:
        return False
    return len(value) >= 4 and not value.isalpha() and not _REFERENCE.match(value) and (
        any(c.isdigit() for c in value) or not re.fullmatch(r"[\w'’-]+", value)
    )  # fmt: skip


def is_spoken_chinese(match: re.Match[str]) -> bool:
    """`密码是…`: an ASCII word stands out, and a quoted one does in any script."""
    value = match["secret"].strip(".,!?")
    after = match.string[match.end() : match.end() + 3]
    if _REFERENCE.match(value) or value.casefold() in _NOT_VALUES or "(" in value:
        return False
    if after.startswith(("加密", "哈希", "算法", "字段", "参数", "类型")):
        return False
    return len(value) >= (2 if match["quote"] else 4)


def is_url_password(match: re.Match[str]) -> bool:
    """Not a port, not a reference."""
    value = match["secret"]
    if value.casefold() in ("password", "passwd", "pass", "pwd", "pw"):
        return False  # an example
    return not _REFERENCE.match(value) and not re.match(r"\d{1,5}[?#]", value)


def is_option(match: re.Match[str]) -> bool:
    """What follows `-p` is a password: no port, no reference, no other option's name."""
    value = match["secret"]
    bare = value.casefold()
    if _REFERENCE.match(value) or bare in _NOT_VALUES or bare in _NOT_GLUED:
        return False
    return not re.fullmatch(r"[\d.]*\d{1,5}:\d{1,5}(?:/\w+)?", value)


def is_cookie(match: re.Match[str]) -> bool:
    """A session or a token, not a preference such as `theme=dark`."""
    value = match["secret"]
    if len(value) < 6 or _REFERENCE.match(value):
        return False
    return _mixed(value) or bool(re.search(r"(?i)sess|sid|auth|token|jwt", match["name"]))


def is_bot_token(match: re.Match[str]) -> bool:
    """Letters of both cases and digits, as random ones have."""
    value = match["secret"].rpartition(".")[2]
    return _mixed(value) and value != value.lower() and value != value.upper()


_NOT_GLUED = {"ort", "rint", "rotocol", "ath", "ool", "assword", "refix", "lugin", "hp", "y"}
_VENDORS = (
    "gsk_", "xai-", "nvapi-", "pplx-", "tvly-", "lin_api_", "dop_v1_", "shpat_", "r8_", "jina_",
    "fc-", "sntrys_", "figd_", "ntn_", "AGE-SECRET-KEY-",
)  # fmt: skip
_WORD = r"[A-Za-z0-9_-]"
_ALNUM = r"[A-Za-z0-9]"
_QUOTE = r"(?P<quote>\\?[\"'`])?"
_BARE = r"[^\s\"'`,;&<>|)\]}\\，。；、”」]"
_ASSIGN = r"\\?[\"'`]?\]?\s{0,3}(?P<sep>:=|=>|=(?!=)|:(?!//)|：|＝)\s{0,3}"
_ASSIGNED = rf"(?P<secret>(?(quote)(?:(?!\\?[\"'`])[^\n]){{1,200}}+|{_BARE}{{3,200}}+))"
_OPTION = r"(?P<quote>\\?[\"'])?(?P<secret>(?(quote)[^\n\"'\\]{2,200}+|[^\s\"'\\`|;&]{2,200}+))"
_PASSWORD = r"(?P<key>password|passwd|passphrase|passcode|pwd|密码|口令)"
_SECRET = (
    r"(?P<key>(?:api|access|secret|private|account|auth|signing|encryption)[_-]?key"
    r"|client[_-]?secret|secret|token|credentials?|密钥|秘钥|令牌)"
)

RULES: tuple[Rule, ...] = (
    Rule(  # first: a cookie holds several secrets, and one that is taken out would hide the others
        "cookie",
        ("cookie",),
        re.compile(
            r"(?:(?i:\bcookie)\\?[\"']?\s{0,3}[:=]|--cookie)\s{0,3}\\?[\"']?"
            r"(?P<name>[\w.-]{1,80}+)="
            r"(?P<secret>[^\s\"'\\<>`;]{1,4096}+(?:;[ ]?[^\s\"'\\<>`;]{1,4096}+)*+)"
        ),
        is_cookie,
    ),
    token("anthropic-key", ("sk-ant-", rf"{_WORD}{{16,}}"), "sk-ant-"),
    token("openai-key", ("sk-(?:proj|svcacct|admin)-", rf"{_WORD}{{16,}}"), "sk-"),
    token("openai-key", ("sk-", rf"{_WORD}{{20,}}"), "sk-", check=looks_random),
    token("github-token", ("gh[pousr]_", rf"{_ALNUM}{{20,}}"), "gh"),
    token("github-token", ("github_pat_", r"\w{20,}"), "github_pat_"),
    token("gitlab-token", ("gl(?:pat|dt|rt|ptt|soat)-", rf"{_WORD}{{20,}}"), "gl"),
    token("aws-access-key", ("AKIA|ASIA", r"[A-Z0-9]{16}"), "akia", "asia"),
    token("google-key", ("AIza", rf"{_WORD}{{35}}"), "aiza"),
    token("google-token", (r"ya29\.|GOCSPX-", rf"{_WORD}{{20,}}"), "ya29.", "gocspx-"),
    token(
        "slack-token", (r"xox[abeoprs]-|xapp-\d-", r"[A-Za-z0-9-]{10,}"), "xox", "xapp-",
        check=has_digit_and_letter,
    ),
    token("stripe-key", ("[sr]k_(?:live|test)_", rf"{_ALNUM}{{16,}}"), "k_live_", "k_test_"),
    token("stripe-key", ("whsec_", rf"{_ALNUM}{{16,}}"), "whsec_"),
    token("huggingface-token", ("hf_", rf"{_ALNUM}{{30,}}"), "hf_"),
    token("npm-token", ("npm_", rf"{_ALNUM}{{30,}}"), "npm_"),
    token("pypi-token", ("pypi-", rf"{_WORD}{{40,}}"), "pypi-"),
    token("sendgrid-key", (r"SG\.", rf"{_WORD}{{16,32}}\.{_WORD}{{32,64}}"), "sg."),
    token("twilio-key", ("SK", r"[0-9a-f]{32}"), "sk"),
    token("alibaba-key", ("LTAI", rf"{_ALNUM}{{12,24}}"), "ltai"),
    token("tencent-key", ("AKID", rf"{_ALNUM}{{32}}"), "akid"),
    token(
        "api-key",
        ("|".join(_VENDORS), rf"{_WORD}{{20,}}"), *(prefix.lower() for prefix in _VENDORS),
        check=looks_random,
    ),
    Rule(
        "telegram-token",
        (":aa",),
        re.compile(rf"(?<!\d)(?P<secret>\d{{8,10}}:AA{_WORD}{{33}})(?!{_WORD})"),
    ),
    Rule(
        "discord-token",
        (".",),
        re.compile(
            rf"(?<![\w.-])(?P<secret>[MNO][A-Za-z0-9]{{22,28}}\.{_WORD}{{6,7}}\.{_WORD}{{27,45}})"
            rf"(?!{_WORD})"
        ),
        is_bot_token,
    ),
    Rule(
        "slack-webhook",
        ("hooks.slack.com/",),
        re.compile(r"hooks\.slack\.com/(?:services|workflows)/(?P<secret>[A-Za-z0-9/_-]{20,100}+)"),
    ),
    Rule(
        "jwt",
        ("eyj",),
        re.compile(
            rf"(?<![A-Za-z0-9_-])(?P<secret>eyJ{_WORD}{{8,}}+\.eyJ{_WORD}{{8,}}+\.{_WORD}{{8,}}+)"
        ),
    ),
    Rule(
        "aws-secret-key",
        ("secret",),
        re.compile(
            r"(?i:secret_?(?:access_?)?key)\\?[\"']?\s{0,3}[:=]\s{0,3}\\?[\"']?"
            r"(?P<secret>[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+]))"
        ),
    ),
    Rule(
        "azure-key",
        ("accountkey=", "sharedaccesskey=", "accesskey="),
        re.compile(r"(?i:account|access)(?i:key)=(?P<secret>[A-Za-z0-9+/]{30,200}+={0,2})"),
    ),
    Rule(
        "bearer-token",
        ("bearer",),
        re.compile(r"(?i:\bbearer)(?:\s{1,3}|%20)(?P<secret>[A-Za-z0-9._~+/-]{12,}+={0,2})"),
        has_digit_and_letter,
    ),
    Rule(
        "basic-auth",
        ("basic",),
        re.compile(
            r"(?i:authorization)\\?[\"']?\s{0,3}[:=]\s{0,3}\\?[\"']?(?i:basic)\s{1,3}"
            r"(?P<secret>[A-Za-z0-9+/]{6,}+={0,2})"
        ),
    ),
    Rule(
        "basic-auth",
        ("curl",),
        re.compile(
            r"\bcurl\b[^\n|;]{0,300}?\s(?:-u|--user)[ =]\\?[\"']?[^\s:\"']{1,100}:"
            r"(?P<secret>[^\s\"'\\]{1,200}+)"
        ),
        is_url_password,
    ),
    Rule(
        "url-password",
        ("://",),
        re.compile(r"://[^\s/:@?#\"'<>]{0,100}:(?P<secret>[^\s/@\"'<>]{1,256})@(?=[\w\[$])"),
        is_url_password,
    ),
    Rule(
        "password",
        ("password", "passwd", "passphrase", "passcode", "pwd", "密码", "口令"),
        re.compile(rf"(?i:{_PASSWORD})(?:[_-]?\d)?{_ASSIGN}{_QUOTE}{_ASSIGNED}"),
        is_password,
    ),
    Rule(
        "password",
        ("mysql", "mariadb"),
        re.compile(
            r"\b(?:mysql|mariadb)(?:dump|admin|import|show|check|-dump|-admin)?(?=\s)"
            r"(?:\s{1,3}(?!-p\S)[^\s|;&]{1,200}+){0,20}?\s{1,3}-p"
            rf"{_OPTION}"
        ),
        is_option,
    ),
    Rule(
        "password",
        ("sshpass", "redis-cli", "docker login"),
        re.compile(
            r"\b(?:sshpass\s{1,3}-p|(?:redis-cli|docker\slogin)(?:\s{1,3}(?!-[ap]\s)[^\s|;&]{1,200}+)"
            r"{0,20}?\s{1,3}-[ap])[ ]{0,3}"
            rf"{_OPTION}"
        ),
        is_option,
    ),
    Rule(
        "password",
        ("--pass", "--pwd"),
        re.compile(
            rf"--(?P<key>pass(?:word|wd|phrase)?|pwd)(?P<sep>[ =]){_QUOTE}{_ASSIGNED}"
        ),
        is_spoken,
    ),
    Rule(
        "password",
        ("password", "passcode", "passphrase"),
        re.compile(
            r"(?i:password|passcode|passphrase)(?:\s(?:for|of|to|on|in)(?:\s[\w.@'’-]{1,30}){1,5}?)?"
            r"\s(?:is|was|will\sbe)(?:\snow)?\s?:?\s?[\"'`“]?(?P<secret>[^\s\"'`”<>\[]{4,100}+)"
        ),
        is_spoken,
    ),
    Rule(
        "password",
        ("密码", "口令", "密钥", "令牌"),
        re.compile(
            r"(?:密码|口令|密钥|令牌)(?:都|就|现在|暂时|已经)?(?:是|为|设为|设成|改成|改为|换成|叫)"
            r"\s{0,2}[:：]?\s{0,2}(?P<quote>[\"'`“「『‘])?"
            r"(?P<secret>(?(quote)[^\s\"'`”」』’]{2,60}|[!#-&(-;=?-Z^-_a-~]{4,100}+))"
        ),
        is_spoken_chinese,
    ),
    Rule(
        "secret",
        ("key", "secret", "token", "credential", "密钥", "秘钥", "令牌"),
        re.compile(rf"(?i:{_SECRET}){_ASSIGN}{_QUOTE}{_ASSIGNED}"),
        is_secret,
    ),
    Rule(
        "secret",
        ("--token", "--api-key", "--secret", "--apikey"),
        re.compile(rf"--(?P<key>token|api-?key|secret)(?P<sep> ){_QUOTE}{_ASSIGNED}"),
        is_secret,
    ),
)  # fmt: skip
