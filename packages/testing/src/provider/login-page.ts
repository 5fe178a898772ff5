import escapeHtml from "escape-html"
import type { People } from "./model.js"

/** A page with one button per user. */
export function loginPage(url: URL, people: People): Response {
  const buttons = Object.entries(people).map(
    ([id, { name = id, email = "" }]) =>
      `<p><button name="as" value="${escapeHtml(id)}">${escapeHtml(name)}</button> ${escapeHtml(email)}</p>`,
  )
  const action = escapeHtml(`${url.pathname}${url.search}`)
  const deny = '<p><button name="as" value="">Cancel</button></p>'
  return page(
    "Fake provider",
    `<h1>Choose a user</h1><form method="post" action="${action}">${buttons.join("")}${deny}</form>`,
  )
}

/** OAuth 2.0 Form Post Response Mode §2. */
export function postPage(action: string, fields: Readonly<Record<string, string>>): Response {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  const form = `<form method="post" action="${escapeHtml(action)}">${inputs.join("")}<button>Continue</button></form>`
  return page("Redirecting…", `${form}<script>document.forms[0].submit()</script>`)
}

export function textPage(text: string, status = 200): Response {
  return page("Fake provider", `<p>${escapeHtml(text)}</p>`, status)
}

function page(title: string, body: string, status = 200): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><body>${body}</body></html>`
  return new Response(html, { status, headers: { "content-type": "text/html; charset=utf-8" } })
}
