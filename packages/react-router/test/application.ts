import { type Browser, openBrowser } from "@latchkey/testing"
import * as eight from "react-router"
import type { HandleDocumentRequestFunction, ServerBuild } from "react-router"
import * as seven from "react-router-7"
import type { RouterAuth } from "@latchkey/react-router"
import { auth } from "./auth.js"

/** The modules of routes by their paths. Those without `default` are resource routes. */
export type Modules = Readonly<Record<string, object>>

// The tests use what both majors have in common.
const majors = { "7": seven as unknown as typeof eight, "8": eight }

/** Opens a browser at an application as React Router builds it. Its pages are the data of their loaders as JSON. */
export function open(major: keyof typeof majors, modules: Modules): Browser {
  return openBrowser({ origin: "https://app.test", handle: handlerOf(major, modules) })
}

export function handlerOf(
  major: keyof typeof majors,
  modules: Modules,
  own: RouterAuth = auth,
): (request: Request) => Promise<Response> {
  const { createRequestHandler, RouterContextProvider } = majors[major]
  const handle = createRequestHandler(build(modules, own), "production")
  return (request) => handle(request, new RouterContextProvider())
}

function build(modules: Modules, { middleware, loader, action }: RouterAuth): ServerBuild {
  const children = Object.entries({ "auth/*": { loader, action }, ...modules }).map(([path, module]) => {
    const id = path || "home"
    return [id, { id, path, index: path === "", parentId: "root", module }] as const
  })
  const root = { id: "root", path: "", module: { middleware: [middleware], default: () => null } }
  const rest = {
    future: { v8_middleware: true, v8_passThroughRequests: true },
    routes: Object.fromEntries([["root", root], ...children]),
  }
  return {
    entry: { module: { default: renderAsJson, handleError: () => {} } },
    assets: { entry: { imports: [], module: "" }, routes: {}, url: "", version: "1" },
    publicPath: "/",
    assetsBuildDirectory: "build",
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: "initial", manifestPath: "/__manifest" },
    // The bundler knows the types of these.
    ...(rest as unknown as Pick<ServerBuild, "future" | "routes">),
  }
}

const renderAsJson: HandleDocumentRequestFunction = (_request, status, headers, { staticHandlerContext }) => {
  const { loaderData, actionData, errors } = staticHandlerContext
  headers.set("content-type", "application/json")
  return new Response(JSON.stringify({ ...loaderData, ...actionData, errors }), { status, headers })
}
