import { type Browser, openBrowser } from "../src/index.js"

type Pages = Readonly<Record<string, (request: Request) => Response | Promise<Response>>>

export const origin = "https://app.test"

/** A small app. Its routes are written as "GET /path". */
export function at(pages: Pages): { browser: Browser; seen: Request[] } {
  const seen: Request[] = []
  const handle = async (request: Request) => {
    seen.push(request.clone())
    const page = pages[`${request.method} ${new URL(request.url).pathname}`]
    return page === undefined ? new Response("not found", { status: 404 }) : await page(request)
  }
  return { browser: openBrowser({ origin, handle }), seen }
}

export function html(body: string): Response {
  return new Response(body, { headers: { "content-type": "text/html; charset=utf-8" } })
}

export function to(location: string, status = 302, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location })
  for (const cookie of cookies) headers.append("set-cookie", cookie)
  return new Response(null, { status, headers })
}

export const hello = (): Response => new Response("hello")
