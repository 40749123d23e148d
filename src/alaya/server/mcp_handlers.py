"""What the MCP server answers to each request of the protocol.

What only an answer needs is imported for the first one: a handshake waits for nothing else.
"""

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

    async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool, say) for tool in tools.values()])

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        return await _in_thread(home, partial(_called, home, params, tools=tools))

    async def list_resources(ctx: Any, params: Any) -> types.ListResourcesResult:
        from alaya.server.mcp_resources import listed

        return types.ListResourcesResult(resources=await _in_thread(home, partial(listed, home)))

    async def list_templates(ctx: Any, params: Any) -> types.ListResourceTemplatesResult:
        from alaya.server.mcp_resources import templates

        return types.ListResourceTemplatesResult(resource_templates=templates(say))

    async def read_resource(
        ctx: Any, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        from alaya.server.mcp_resources import read

        uri = str(params.uri)
        text = await _in_thread(home, partial(read, home, uri))
        content = types.TextResourceContents(uri=uri, mime_type="text/markdown", text=text)
        return types.ReadResourceResult(contents=[content])

    async def list_prompts(ctx: Any, params: Any) -> types.ListPromptsResult:
        from alaya.server.mcp_prompts import listed

        return types.ListPromptsResult(prompts=listed(say))

    async def get_prompt(ctx: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        from alaya.server.mcp_prompts import prompt

        made = partial(prompt, home, params.name, arguments=params.arguments or {})
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
    from alaya.server.mcp_resources import desk

    say = say_in(home.language)
    try:
        tool = tools.get(params.name)
        if tool is None:
            raise unknown(params.name, tools, read_only=home.read_only)
        given = read(tool.fields, params.arguments)
        memory = home.memory()
        room = desk(home, memory, wanted=given.values.get("max_tokens"))
        reply = tool.run(memory, given, desk=room)
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
