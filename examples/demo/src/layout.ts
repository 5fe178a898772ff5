import { randomBytes } from "node:crypto"
import type { ServerResponse } from "node:http"
import escapeHtml from "escape-html"

/** Text that is already HTML. */
export interface Html {
  readonly html: string
}

type Part = Html | string | number | false | undefined | readonly Part[]

/** Creates HTML from a template. Escapes all values that aren't HTML. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: strings.map((text, index) => text + render(parts[index])).join("") }
}

function render(part: Part): string {
  if (part === undefined || part === false) return ""
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part))
  return "html" in part ? part.html : part.map(render).join("")
}

export interface Document {
  readonly title: string
  readonly body: Html
  /** An inline module. */
  readonly script?: string
  /** Other origins that a form can lead to. Chromium applies `form-action` to redirects after a form too. */
  readonly formTargets?: readonly string[]
  readonly status?: number
}

/** Sends a page without external assets. Its policy allows only the inline style and script. */
export function sendPage(res: ServerResponse, page: Document): void {
  const nonce = randomBytes(16).toString("base64")
  res.statusCode = page.status ?? 200
  res.setHeader("Content-Type", "text/html; charset=utf-8")
  res.setHeader("Cache-Control", "no-store")
  res.setHeader("Referrer-Policy", "same-origin")
  res.setHeader("X-Content-Type-Options", "nosniff")
  res.setHeader("Content-Security-Policy", policy(nonce, page.formTargets ?? []))
  res.end(documentOf(page, nonce).html)
}

function policy(nonce: string, formTargets: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    `form-action ${["'self'", ...formTargets].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ")
}

function documentOf({ title, body, script }: Document, nonce: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style nonce="${nonce}">${{ html: styles }}</style>
</head>
<body>
${body}
${script !== undefined && html`<script type="module" nonce="${nonce}">${{ html: script }}</script>`}
</body>
</html>
`
}

export function sendIcon(res: ServerResponse): void {
  res.setHeader("Content-Type", "image/svg+xml")
  res.setHeader("Cache-Control", "max-age=3600")
  res.end(icon)
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5f4f"/>
<circle cx="12" cy="16" r="5" fill="none" stroke="#fff" stroke-width="3"/><path d="M17 16h10m-4 0v5" stroke="#fff" stroke-width="3" fill="none"/></svg>`

const styles = `
:root { color-scheme: light dark; --ground: #f6f5f1; --card: #fff; --ink: #21252b; --soft: #5c6570; --line: #dcdad2; --accent: #1f5f4f; --on-accent: #fff; --alarm: #9a2a1f; --tint: #e8f1ed }
@media (prefers-color-scheme: dark) { :root { --ground: #15181b; --card: #1e2226; --ink: #e9e8e4; --soft: #a3abb3; --line: #343a40; --accent: #6cc3a8; --on-accent: #0d211b; --alarm: #ff9d8f; --tint: #22322d } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: var(--ground); color: var(--ink) }
header, main, footer { max-width: 68rem; margin: 0 auto; padding: 1rem 1.25rem }
main { display: grid; gap: 1.25rem; padding-top: 0 }
main.narrow { max-width: 30rem; padding-top: 10vh }
.reading > * { max-width: 46rem }
h1 { margin: 0 0 .75rem; font-size: 1.5rem }
header { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: center; padding-top: 1.5rem }
header h1 { margin: 0; font-size: 1.35rem; display: flex; gap: .6rem; align-items: center }
header img { width: 1.75rem; height: 1.75rem }
h2 { margin: 0 0 .5rem; font-size: 1.1rem }
h3 { margin: 1.25rem 0 .4rem; font-size: 1rem }
h3:first-of-type { margin-top: .5rem }
p { margin: 0 0 .75rem }
p:last-child { margin-bottom: 0 }
a { color: var(--accent) }
.card > ul { margin: 0; padding-left: 1.25rem }
.soft { color: var(--soft); font-size: .9rem }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem; min-width: 0 }
.two { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)) }
.switch { display: flex; margin-left: auto; border: 1px solid var(--line); border-radius: 999px; padding: .2rem; background: var(--card) }
.switch a { padding: .3rem .9rem; border-radius: 999px; text-decoration: none; color: var(--ink) }
.switch a[aria-current] { background: var(--accent); color: var(--on-accent) }
form { display: grid; gap: .6rem; justify-items: start; margin: 0 }
label { display: grid; gap: .2rem; width: 100%; font-size: .9rem; color: var(--soft) }
input { font: inherit; width: 100%; padding: .5rem .7rem; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); color: var(--ink) }
button, .button { font: inherit; font-weight: 600; padding: .55rem 1.1rem; border: 1px solid var(--accent); border-radius: 8px; background: var(--accent); color: var(--on-accent); cursor: pointer; text-decoration: none; display: inline-block }
button.plain { background: none; color: var(--accent) }
button.user { width: 100%; display: grid; grid-template-columns: auto 1fr; gap: 0 .8rem; text-align: left; background: none; color: var(--ink); border-color: var(--line); padding: .7rem .9rem }
button.user:hover { background: var(--tint); border-color: var(--accent) }
button.user .soft { font-weight: 400 }
.initial { grid-row: span 2; width: 2.75rem; height: 2.75rem; border-radius: 50%; display: grid; place-items: center; background: var(--tint); color: var(--accent); font-weight: 700; font-size: 1.2rem }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.who { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center }
.who p { margin: 0 }
.who form { margin-left: auto }
.who form + form { margin-left: 0 }
.who strong { display: block; font-size: 1.15rem }
pre { margin: 0; padding: .8rem 1rem; border-radius: 8px; background: var(--ground); overflow-x: auto; font: 13px/1.5 ui-monospace, monospace }
.wrap { white-space: pre-wrap; overflow-wrap: anywhere }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .85rem }
th, td { text-align: left; padding: .35rem .7rem .35rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; vertical-align: top }
th { color: var(--soft); font-weight: 600 }
td, .events, code { font-family: ui-monospace, monospace; font-size: .82rem }
.events { max-height: 22rem; overflow-y: auto }
.events ul { list-style: none; margin: 0; padding: 0 }
.events li { padding: .35rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
.events b { color: var(--accent) }
.problem { color: var(--alarm) }
.problem:empty { display: none }
.note { border-left: 4px solid var(--alarm); padding: .6rem 1rem; background: var(--card); border-radius: 0 8px 8px 0 }
iframe { width: 100%; height: 20rem; border: 1px solid var(--line); border-radius: 8px; background: #fff }
footer { color: var(--soft); font-size: .9rem; display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; padding-bottom: 2.5rem }
`
