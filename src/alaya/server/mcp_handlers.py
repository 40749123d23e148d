"""What the MCP server answers to each request of the protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import version
from typing import Any, TypeVar

import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from alaya.errors import AlayaError
from alaya.server import mcp_prompts, mcp_resources
from alaya.server.mcp import Home
from alaya.server.mcp_arguments import Field, read, schema
from alaya.server.mcp_tools import Tool, table, unknown
from alaya.server.mcp_words import say_in

_Result = TypeVar("_Result")
_ERROR = 2_000  # characters of a complaint


def server(home: Home) -> Server[Any]:
    """A server of the SDK for this memory."""
    say = say_in(home.language)
    tools = table(read_only=home.read_only)
    listed = types.ListToolsResult(tools=[_described(tool, say) for tool in tools.values()])

    async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        return listed

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        return await _in_thread(home, partial(_called, home, params, tools=tools))

    async def list_resources(ctx: Any, params: Any) -> types.ListResourcesResult:
        found = await _in_thread(home, partial(mcp_resources.listed, home))
        return types.ListResourcesResult(resources=found)

    async def list_templates(ctx: Any, params: Any) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=mcp_resources.templates(say))

    async def read_resource(
        ctx: Any, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        text = await _in_thread(home, partial(mcp_resources.read, home, uri))
        content = types.TextResourceContents(uri=uri, mime_type="text/markdown", text=text)
        return types.ReadResourceResult(contents=[content])

    async def list_prompts(ctx: Any, params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=mcp_prompts.listed(say))

    async def get_prompt(ctx: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        made = partial(mcp_prompts.prompt, home, params.name, arguments=params.arguments or {})
        return await _in_thread(home, made)

    return Server(
        "alaya",
        version=version("alaya-agent-memory"),
        instructions=say("instructions"),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


async def _in_thread(home: Home, work: Callable[[], _Result]) -> _Result:
    """A verb blocks: it has a thread. What goes wrong is told, never with its traceback."""
    try:
        return await anyio.to_thread.run_sync(work)
    except AlayaError as error:
        raise MCPError(types.INVALID_PARAMS, home.local(str(error))[:_ERROR]) from error
    except Exception as error:
        if isinstance(error, MCPError):
            raise
        home.crashed(error)
        raise MCPError(types.INTERNAL_ERROR, say_in(home.language)("failed")) from error


def _called(
    home: Home, params: types.CallToolRequestParams, *, tools: Mapping[str, Tool]
) -> types.CallToolResult:
    """One tool call; a mistake is a result that says what to change, so that a model can."""
    say = say_in(home.language)
    try:
        tool = tools.get(params.name)
        if tool is None:
            raise unknown(params.name, tools, read_only=home.read_only)
        given = read(tool.fields, params.arguments)
        memory = home.memory()
        desk = mcp_resources.desk(home, memory, wanted=given.values.get("max_tokens"))
        reply = tool.run(memory, given, desk)
    except AlayaError as error:
        text = types.TextContent(type="text", text=home.local(str(error))[:_ERROR])
        return types.CallToolResult(content=[text], is_error=True)
    notes = [reply.note] if reply.note else []
    for key, names in (("ignored", given.ignored), ("scoped", given.scoped)):
        notes += [say(key, names=", ".join(names[:5]))] if names else []
    content = [types.TextContent(type="text", text=text) for text in (reply.text, *notes)]
    return types.CallToolResult(content=[*content], structured_content=reply.data)


def _described(tool: Tool, say: Callable[..., str]) -> types.Tool:
    def words(field: Field) -> str:
        return say(f"arg.{field.words}" if field.words else f"{tool.name}.{field.name}")

    return types.Tool(
        name=tool.name,
        description=say(tool.name),
        input_schema=schema(tool.fields, words),
        output_schema=dict(tool.answers) if tool.answers else None,
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.writes,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.destructive or not tool.writes,
            open_world_hint=False,
        ),
    )
