"""Both languages say the same things."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from string import Formatter

import pytest

import alaya.cli
from alaya.cli.language import GROUPS, Count, choose, help_texts, messages, sayer, translated
from alaya.cli.reasons_zh import REASONS
from alaya.model.report import Outcome

WORDS_EN, WORDS_ZH = messages("en"), messages("zh")
HELP_EN, HELP_ZH = help_texts("en"), help_texts("zh")
CATALOGUES = [(WORDS_EN, WORDS_ZH), (HELP_EN, HELP_ZH)]
SOURCES = "\n".join(
    p.read_text("utf-8")
    for p in Path(alaya.cli.__file__).parent.glob("*.py")
    if not p.stem.endswith(("_en", "_zh"))
)


def placeholders(text: str) -> set[str]:
    if "{" not in text or '{"' in text:
        return set()
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize(("english", "chinese"), CATALOGUES)
def test_both_languages_have_the_same_messages(
    english: Mapping[str, str], chinese: Mapping[str, str]
) -> None:
    """The catalogues have the same keys, and each message fills in the same values."""
    assert list(english) == list(chinese)
    different = [k for k in english if placeholders(english[k]) != placeholders(chinese[k])]
    assert different == []


@pytest.mark.parametrize(("english", "chinese"), CATALOGUES)
def test_the_chinese_catalogue_is_chinese(
    english: Mapping[str, str], chinese: Mapping[str, str]
) -> None:
    """Every Chinese message holds Chinese, unless it is nothing but a name or an example."""
    untranslated = [
        key
        for key, text in chinese.items()
        if not re.search("[一-鿿]", text)
        and re.search("[a-z]{3}", re.sub(r"{.*?}", "", text))
        and not key.endswith(".examples")
        and text != "config.json"
    ]
    assert untranslated == []
    assert not [key for key, text in english.items() if re.search("[一-鿿]", text)]


def test_no_catalogue_takes_the_words_of_another() -> None:
    """A key stands in one catalogue: none that is joined later hides one of another group."""
    for what, name in (("words", "WORDS"), ("help", "HELP")):
        modules = (what, *(f"{what}_{group}" for group in GROUPS))
        keys = [k for m in modules for k in getattr(import_module(f"alaya.cli.{m}_en"), name)]
        assert len(keys) == len(set(keys))


def test_every_message_that_is_asked_for_exists_and_every_message_is_asked_for() -> None:
    """The code and the catalogue name the same keys (families such as outcome.* by prefix)."""
    known = WORDS_EN.keys() | HELP_EN.keys()
    asked = set(re.findall(r'say\(\s*f?"([a-z0-9._-]+)"', SOURCES))
    assert {key for key in asked if key not in known} == set()
    families = set(re.findall(r'f"([a-z]+[._][a-z_]*)\{', SOURCES))
    quoted = set(re.findall(r'"([a-z0-9._-]+)"', SOURCES))
    unused = {key for key in WORDS_EN if key not in quoted and not key.startswith(tuple(families))}
    assert unused == set()
    assert {f"outcome.{outcome.value}" for outcome in Outcome} <= WORDS_EN.keys()


def test_numbers_choose_their_noun() -> None:
    """One card, two cards, no cards; thousands are separated; Chinese needs no plural."""
    say = sayer(messages("en"))
    assert say("distill.found", count=1) == "Found 1 card:"
    assert say("distill.found", count=1234) == "Found 1,234 cards:"
    assert f"{Count(0):card|cards}" == "cards"
    assert sayer(messages("zh"))("distill.found", count=1234) == "找到 1,234 张卡片："


def test_the_language_is_the_argument_then_the_environment_then_the_configuration(
    tmp_path: Path,
) -> None:
    """--lang beats ALAYA_LANG beats config.json; whatever is no language leaves English."""
    (tmp_path / "config.json").write_text('{"language": "zh"}', "utf-8")
    home = {"ALAYA_HOME": str(tmp_path)}
    assert choose([], home) == "zh"
    assert choose([], {**home, "ALAYA_LANG": "en"}) == "en"
    assert choose(["status", "--lang=zh"], {**home, "ALAYA_LANG": "en"}) == "zh"
    assert choose(["--home", str(tmp_path), "status"], {}) == "zh"
    assert choose(["recall", "--", "--lang", "zh"], {"ALAYA_HOME": "/nowhere"}) == "en"
    (tmp_path / "config.json").write_text("not json", "utf-8")
    assert choose([], home) == "en"
    assert choose([], {**home, "ALAYA_LANG": "klingon"}) == "en"


def test_sentences_from_below_are_translated_and_still_said() -> None:
    """Each English pattern matches a sentence that the source still holds; others stay as is."""
    said = "\n".join(
        path.read_text("utf-8")
        for folder in ("recall", "providers", "distill")
        for path in Path(alaya.__file__).parent.joinpath(folder).glob("*.py")
    ) + Path(alaya.__file__).with_name("wiring.py").read_text("utf-8")
    for pattern, local in REASONS:
        assert re.search("[一-鿿]", local)
        for words in re.split(r"\(\.\+\)|\.\+", pattern):
            assert words.replace("\\", "").strip() in said, words
    assert translated("no vectors of m yet: words and graph only", "zh").startswith("尚无 m ")
    assert translated("something new", "zh") == "something new"
