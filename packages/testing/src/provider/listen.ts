import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Fetch } from "@latchkey/core/types"
import { authorize } from "./authorize.js"
import { endpointsOf } from "./endpoints.js"
import { loginPage, postPage, textPage } from "./login-page.js"
import { endSession } from "./logout.js"
import type { Listening } from "./model.js"
import type { ProviderState } from "./state.js"

/** Serves the provider on loopback. The URL of the server becomes the issuer. */
export async function listen(op: ProviderState, fetch: Fetch, port = 0): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    toRequest(op, incoming)
      .then((request) => serve(op, fetch, request))
      .catch(errorPage)
      .then((response) => write(outgoing, response))
      .catch(() => outgoing.destroy())
  })
  const bound = await bind(server, port)
  op.issuer = `http://127.0.0.1:${bound}`
  return { url: op.issuer, port: bound, close: () => close(server) }
}

function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : port)
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((problem) => (problem === undefined ? resolve() : reject(problem)))
    server.closeAllConnections()
  })
}

function errorPage(error: unknown): Response {
  return textPage(error instanceof Error ? error.message : "The fake provider failed.", 400)
}

async function serve(op: ProviderState, fetch: Fetch, request: Request): Promise<Response> {
  const url = new URL(request.url)
  const { authorization, endSession: logout } = endpointsOf(op.issuer)
  const path = `${url.origin}${url.pathname}`
  if (path === authorization) return await serveAuthorization(op, url, request)
  if (path === logout) return redirectOr((await endSession(op, url)).location, "You're signed out.")
  return await fetch(new Request(request, { redirect: "manual" }))
}

/** `GET` shows the login page, which posts the selected user to the same URL. */
async function serveAuthorization(op: ProviderState, url: URL, request: Request): Promise<Response> {
  if (request.method !== "POST") return loginPage(url, op.people)
  const as = new URLSearchParams(await request.text()).get("as")
  const answer = await authorize(op, url, as === null || as === "" ? { error: "access_denied" } : { as })
  return answer.method === "GET" ? redirectOr(answer.location, "") : postPage(answer.action, answer.fields)
}

function redirectOr(location: string | undefined, text: string): Response {
  return location === undefined ? textPage(text) : new Response(null, { status: 303, headers: { location } })
}

async function toRequest(op: ProviderState, incoming: IncomingMessage): Promise<Request> {
  const parts: Uint8Array[] = []
  for await (const part of incoming) parts.push(part)
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  const body = parts.length === 0 ? {} : { body: Buffer.concat(parts) }
  return new Request(new URL(incoming.url ?? "/", op.issuer), { method: incoming.method ?? "GET", headers, ...body })
}

async function write(outgoing: ServerResponse, response: Response): Promise<void> {
  outgoing.writeHead(response.status, [...response.headers].flat())
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}
