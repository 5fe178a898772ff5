import { type Browser, openBrowser } from "@latchkey/testing"
import * as eight from "react-router"
import * as seven from "react-router-7"
import { auth } from "./auth.js"

type ServerBuild = Parameters<typeof eight.createRequestHandler>[0] & object

/** Opens a browser at an application as React Router builds it. Its pages are the data of their loaders as JSON. */
export function open(major: "7" | "8", modules: Readonly<Record<string, object>>): Browser {
  const { createRequestHandler, RouterContextProvider } = major === "7" ? seven : eight
  const handle = createRequestHandler(build(modules), "production")
  return openBrowser({ origin: "https://app.test", handle: (request) => handle(request, new RouterContextProvider()) })
}

/** @param modules the modules of routes by their paths. Those without `default` are resource routes */
function build(modules: Readonly<Record<string, object>>): Awaited<ServerBuild> {
  const all = { root: { middleware: [auth.middleware], default: () => null }, "auth/*": pick(auth), ...modules }
  const routes = Object.entries(all).map(([path, module]) => {
    const isRoot = path === "root"
    const id = path || "home"
    return [id, { id, path: isRoot ? "" : path, index: path === "", ...(isRoot ? {} : { parentId: "root" }), module }]
  })
  return {
    entry: { module: { default: renderAsJson, handleError: () => {} } },
    routes: Object.fromEntries(routes),
    assets: { entry: { imports: [], module: "" }, routes: {}, url: "", version: "1" },
    publicPath: "/",
    assetsBuildDirectory: "build",
    future: { v8_middleware: true, v8_passThroughRequests: true },
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: "initial", manifestPath: "/__manifest" },
  } as unknown as Awaited<ServerBuild>
}

const pick = ({ loader, action }: { readonly loader: unknown; readonly action: unknown }) => ({ loader, action })

type Render = Awaited<ServerBuild>["entry"]["module"]["default"]

const renderAsJson: Render = (_request, status, headers, { staticHandlerContext: { loaderData, actionData, errors } }) => {
  headers.set("content-type", "application/json")
  return new Response(JSON.stringify({ ...loaderData, ...actionData, errors }), { status, headers })
}
