import { readFile } from "node:fs/promises"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { auth } from "./auth.ts"
import { authConfig } from "./auth.config.ts"
import { loginPage } from "./login.ts"
import { accountPage, homePage, signInPage } from "./pages.ts"

type Listener = (req: IncomingMessage, res: ServerResponse, url: URL) => unknown

const routes: Readonly<Record<string, Listener>> = {
  async "GET /"(req, res) {
    sendPage(res, homePage(await auth.getSession(req, res)))
  },

  async "GET /account"(req, res) {
    const session = await auth.requireSession(req, res)
    if (session !== null) sendPage(res, accountPage(session))
  },

  async "POST /account"(req, res) {
    const { name } = await formOf(req)
    await auth.update(req, res, { user: { name: name ?? "" } })
    redirect(res, "/account")
  },

  async "GET /api/account"(req, res) {
    const session = await auth.requireSession(req, res)
    if (session === null) return
    const { email, name } = session.user
    res.setHeader("content-type", "application/json")
    res.end(JSON.stringify({ email, name }))
  },

  async "GET /api/csrf-token"(req, res) {
    const csrfToken = await auth.csrfToken(req, res)
    res.setHeader("content-type", "application/json")
    res.end(JSON.stringify({ csrfToken }))
  },

  "GET /sign-in"(_req, res, url) {
    sendPage(res, signInPage(Object.fromEntries(url.searchParams)))
  },

  async "POST /sign-in"(req, res) {
    const { email, password, callbackUrl } = await formOf(req)
    const fields = { email, password, redirectTo: callbackUrl || undefined, redirect: false }
    const { to, error } = await auth.signIn(req, res, "credentials", fields)
    if (error === undefined) return redirect(res, to)
    res.statusCode = 401
    sendPage(res, signInPage({ callbackUrl, error: error.type }))
  },

  /** The sign-in page of docs/custom-sign-in-page.md. */
  async "GET /login"(req, res, url) {
    const csrfToken = await auth.csrfToken(req, res)
    sendPage(res, loginPage({ ...Object.fromEntries(url.searchParams), csrfToken, providers: authConfig.providers }))
  },

  "POST /sign-in/start": (req, res) => auth.signIn(req, res, undefined, { redirectTo: "/account" }),

  "POST /sign-out": (req, res) => auth.signOut(req, res, { redirectTo: "/" }),

  "GET /style.css": (_req, res) => sendFile(res, "style.css", "text/css"),
  "GET /login.js": (_req, res) => sendFile(res, "login.js", "text/javascript"),
}

const handler = auth.handler((req, res) => {
  const url = new URL(req.url ?? "/", "http://localhost")
  const method = req.method === "HEAD" ? "GET" : req.method
  const route = routes[`${method} ${url.pathname}`]
  if (route !== undefined) return route(req, res, url)
  res.statusCode = 404
  return res.end("Not found")
})

function sendPage(res: ServerResponse, html: string): void {
  res.setHeader("content-type", "text/html; charset=utf-8")
  res.end(html)
}

async function sendFile(res: ServerResponse, name: string, type: string): Promise<void> {
  res.setHeader("content-type", type)
  res.end(await readFile(`public/${name}`))
}

/** A 303 makes a form POST a GET. */
function redirect(res: ServerResponse, to: string): void {
  res.writeHead(303, { location: to }).end()
}

const maxForm = 10_000

async function formOf(req: IncomingMessage): Promise<Record<string, string>> {
  let text = ""
  for await (const chunk of req.setEncoding("utf8")) {
    text += chunk
    if (text.length > maxForm) throw new Error("The form is too large")
  }
  return Object.fromEntries(new URLSearchParams(text))
}

const { PORT = "3000", HOST = "localhost" } = process.env
const server = createServer(handler).listen(Number(PORT), HOST, () => {
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : PORT
  console.log(`Harbor is at http://${HOST}:${port}`)
})
