"""What every Embedder must do. A test module derives a class from each suite and names an adapter.

    class TestMine(EmbedderContract):
        @pytest.fixture
        def embedder(self):
            return MyEmbedder()

`MeaningContract` is for embedders that know meaning, not only spelling.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from alaya.errors import InvalidInput
from alaya.ports import Embedder, Vector

MOST_WINDOWS = 64  # more for one text is no bound at all
_TEXTS = (
    "The deployment failed because nginx had cached the old address.",
    "我们决定把日志保留三十天，然后归档到对象存储。",
    "C++ and C are not one language 😀",
    "明日は雨が降るでしょう。",
)
_RELATED = (
    # question, a passage that answers it, one that does not
    (
        "why did the website stop answering?",
        "The web server returned 502 because the proxy kept sending traffic to a dead address.",
        "My grandmother bakes the bread with walnuts and lets the dough rest over night.",
    ),
    (
        "网站为什么打不开了？",
        "反向代理一直把请求转发给已经下线的地址，所以页面返回 502。",
        "奶奶做面包的时候会放核桃，面团要醒一整夜。",
    ),
    (
        "when should I water the plants",
        "Give the ferns a cup of water early in the morning, every second day.",
        "The committee voted to raise the interest rate by a quarter of a point.",
    ),
    (
        "什么时候给花浇水",
        "蕨类植物每隔一天早上浇一杯水就够了。",
        "委员会投票决定把利率上调零点二五个百分点。",
    ),
)


def cosine(a: Vector, b: Vector) -> float:
    """The dot product of two unit vectors."""
    return float(sum(float(x) * float(y) for x, y in zip(a, b, strict=True)))


class EmbedderContract:
    """Needs a fixture `embedder`."""

    def test_identity(self, embedder: Embedder) -> None:
        """An embedder has a name that says who made its vectors."""
        assert embedder.name
        assert "\n" not in embedder.name

    def test_shape(self, embedder: Embedder) -> None:
        """Every vector has the dimensions that the embedder states, and length 1."""
        vectors = [w for windows in embedder.passages(_TEXTS) for w in windows]
        vectors.append(embedder.query(_TEXTS[0]))
        assert {len(v) for v in vectors} == {embedder.dimensions}
        assert [cosine(v, v) for v in vectors] == pytest.approx([1.0] * len(vectors), abs=1e-4)

    def test_order(self, embedder: Embedder) -> None:
        """Answers stand in the order of the texts, and do not depend on what else was asked."""
        together = embedder.passages(_TEXTS)
        assert [len(windows) for windows in together] == [1] * len(_TEXTS)
        for text, windows in zip(_TEXTS, together, strict=True):
            (alone,) = embedder.passages([text])
            assert cosine(alone[0], windows[0]) == pytest.approx(1.0, abs=1e-3)

    def test_deterministic(self, embedder: Embedder) -> None:
        """The same text gives the same vector."""
        first, second = embedder.passages([_TEXTS[1], _TEXTS[1]])
        assert list(map(float, first[0])) == pytest.approx(list(map(float, second[0])), abs=1e-5)
        assert cosine(embedder.query("北京 hotel"), embedder.query("北京 hotel")) == pytest.approx(
            1.0, abs=1e-4
        )

    def test_nothing(self, embedder: Embedder) -> None:
        """No text gives no answer; a text of white space or NUL gives no window."""
        assert list(embedder.passages([])) == []
        texts = ["", " \n\t　", "\x00\x00", "word", ""]
        assert [len(w) for w in embedder.passages(texts)] == [0, 0, 0, 1, 0]

    def test_empty_question(self, embedder: Embedder) -> None:
        """A question without a character is the caller's mistake, and is called that."""
        for text in ("", "  \n", "\x00"):
            with pytest.raises(InvalidInput):
                embedder.query(text)

    def test_nul(self, embedder: Embedder) -> None:
        """What stands behind a NUL counts."""
        (cut,), (whole,), (torn,) = embedder.passages(
            ["the red", "the red bicycle in the cellar", "the red\x00 bicycle in the cellar"]
        )
        assert cosine(torn, whole) == pytest.approx(1.0, abs=1e-3)
        assert cosine(torn, cut) < 0.999

    def test_surrogates(self, embedder: Embedder) -> None:
        """Lone surrogates, which no encoding can hold, are taken without complaint."""
        (windows,) = embedder.passages(["broken \ud83d emoji \udc00 here"])
        assert len(windows) == 1
        assert len(embedder.query("\ud83d?")) == embedder.dimensions

    def test_megabyte(self, embedder: Embedder) -> None:
        """A text of a million characters is embedded in a bounded number of windows."""
        text = "".join(["x" * 400_000, "中文记忆" * 50_000, "word and more. " * 27_000])
        (windows,) = embedder.passages([text])
        assert 1 <= len(windows) <= MOST_WINDOWS
        assert len(embedder.query(text)) == embedder.dimensions

    def test_threads(self, embedder: Embedder) -> None:
        """Four threads that share an embedder get the answers that one would get."""
        alone = [embedder.query(text) for text in _TEXTS]

        def ask(_: int) -> Sequence[Vector]:
            return [embedder.query(text) for text in _TEXTS]

        with ThreadPoolExecutor(4) as threads:
            for answer in threads.map(ask, range(8)):
                for one, other in zip(alone, answer, strict=True):
                    assert cosine(one, other) == pytest.approx(1.0, abs=1e-3)


class MeaningContract:
    """Needs a fixture `embedder`."""

    @pytest.mark.parametrize(("question", "answer", "other"), _RELATED)
    def test_related(self, embedder: Embedder, question: str, *, answer: str, other: str) -> None:
        """A passage that answers a question is closer to it than one that does not."""
        asked = embedder.query(question)
        (near,), (far,) = embedder.passages([answer, other])
        assert cosine(asked, near) > cosine(asked, far)
