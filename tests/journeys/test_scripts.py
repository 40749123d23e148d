"""Every script, from an ingest to a recall of the very turn, by words on the default stores."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from alaya import Memory

Asked = Callable[[str, str], list[str]]
NOISE = (
    "今天天气不错，下午去公园散步。",
    "The weather is fine and lunch was good.",
    "我们晚上看电影吧。",
    "Nothing of interest happened in the meeting.",
    "ドアを閉めてください。",
    "오늘은 날씨가 좋습니다.",
    "🎉🎉 happy new year",
)


@pytest.fixture
def asked(opened: Callable[[Path], Memory], tmp_path: Path) -> Asked:
    """Say one thing among others, ask a question; the turns that are recalled, best first."""

    def ask(said: str, question: str) -> list[str]:
        lines = [*NOISE[:3], said, *NOISE[3:]]
        path = tmp_path / "talk.jsonl"
        with path.open("w", encoding="ascii") as file:  # escapes let lone surrogates through
            for line in lines:
                file.write(json.dumps({"role": "user", "content": line}) + "\n")
        with opened(tmp_path / "home") as memory:
            assert memory.ingest(path).turns == len(lines)
            answer = memory.recall(question, include_sessions=True)
            assert memory.verify().differences == ()
        assert all(hit.evidence for hit in answer.hits)
        return [hit.content for hit in answer.hits]

    return ask


def test_two_chinese_characters(asked: Asked) -> None:
    """A word of two characters inside a sentence without spaces."""
    said = "网关重启之后，告警通知就再也没有发出来。"
    assert asked(said, "告警")[0] == said


def test_one_chinese_character(asked: Asked) -> None:
    """A single character, which no bigram covers."""
    said = "爷爷最爱喝龙井。"
    assert asked(said, "爷")[0] == said


def test_mixed_script(asked: Asked) -> None:
    """Latin and Han in one word, asked for as it was said."""
    said = "把gen-itgc监控的阈值调到九成。"
    assert asked(said, "gen-itgc监控")[0] == said


def test_each_half_of_a_mixed_word(asked: Asked) -> None:
    """The Latin half alone finds it, and so does a part of that half."""
    said = "把gen-itgc监控的阈值调到九成。"
    assert asked(said, "itgc")[0] == said


def test_full_width_digits(asked: Asked) -> None:
    """Said with full-width digits and letters, asked with plain ones."""
    said = "服务器房间号是２０４８，代号ＡＢＸ。"
    assert asked(said, "2048")[0] == said


def test_plain_digits_asked_in_full_width(asked: Asked) -> None:
    """The other way round."""
    said = "服务器房间号是2048，代号ABX。"
    assert asked(said, "ＡＢＸ ２０４８")[0] == said


def test_japanese_kana(asked: Asked) -> None:
    """Katakana and Hiragana, cut into bigrams like Han."""
    said = "データベースのバックアップは毎晩おこなわれます。"
    assert asked(said, "バックアップ")[0] == said


def test_half_width_kana(asked: Asked) -> None:
    """Half-width Katakana is the same word."""
    said = "データベースのバックアップは毎晩おこなわれます。"
    assert asked(said, "ﾊﾞｯｸｱｯﾌﾟ")[0] == said


def test_korean(asked: Asked) -> None:
    """A Korean noun, said with a particle at its end."""
    said = "서버를 다시 시작하면 알림이 사라집니다."
    assert asked(said, "알림")[0] == said


def test_emoji(asked: Asked) -> None:
    """One emoji among words, with and without a skin colour."""
    said = "release went out 🚀👍🏽 to all regions"
    assert asked(said, "🚀")[0] == said


def test_emoji_with_another_skin(asked: Asked) -> None:
    """A thumb is a thumb."""
    said = "approved by the owner 👍🏽"
    assert asked(said, "👍")[0] == said


def test_lone_surrogates(asked: Asked) -> None:
    """Half a character in the log becomes U+FFFD; in the question it harms nothing."""
    found = asked("the broken \ud83d message about checksums", "checksums \ude80")
    assert found[0] == "the broken \ufffd message about checksums"


def test_a_torn_pair(asked: Asked) -> None:
    """Two halves that stand together are the character that they were."""
    assert asked("deployed \ud83d\ude80 yesterday", "🚀")[0] == "deployed 🚀 yesterday"


def test_nul(asked: Asked) -> None:
    """A NUL inside a word is dropped."""
    assert asked("the check\x00sum differs", "checksum")[0] == "the checksum differs"


def test_languages_without_case_or_spaces(asked: Asked) -> None:
    """Thai, which has neither."""
    said = "เซิร์ฟเวอร์สำรองข้อมูลทุกคืน"
    assert asked(said, "สำรองข้อมูล")[0] == said


def test_signs_that_are_names(asked: Asked) -> None:
    """C++ is not C, .NET keeps its dot."""
    said = "We port the parser from C++ to .NET this month."
    assert asked(said, "C++")[0] == said


def test_case_and_accents_of_latin(asked: Asked) -> None:
    """Another case, and a composed letter asked for as a decomposed one."""
    said = "Das Café in der Straße öffnet um NEUN."
    assert asked(said, "cafe\u0301 STRASSE")[0] == said
