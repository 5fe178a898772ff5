import escapeHtml from "escape-html"
import type { User } from "./users.js"

/** The sign-in page: a button for each user. */
export function choicePage(
  users: readonly User[],
  { client, hint }: { client: string; hint: string | undefined },
): string {
  const note = hint === undefined ? "" : `<p class="note">There is no user “${escapeHtml(hint)}”.</p>`
  const buttons = users.map(
    ({ id, name, email }) =>
      `<button name="user" value="${escapeHtml(id)}"><strong>${escapeHtml(name)}</strong><span>${escapeHtml(email)}</span></button>`,
  )
  const body = `<h1>Sign in as</h1>
<p>This provider runs on your machine, for development. <b>${escapeHtml(client)}</b> asks you to sign in.</p>
${note}<form method="post">${buttons.join("\n")}<button class="plain" name="user" value="">Cancel</button></form>`
  return page("Sign in", body)
}

/** @param reasons one paragraph each */
export function errorPage(...reasons: readonly string[]): string {
  const notes = reasons.map((reason) => `<p class="note">${escapeHtml(reason)}</p>`)
  return page(
    "Sign-in failed",
    `<h1>Sign-in failed</h1>\n${notes.join("\n")}\n<p>Go back to the application and sign in again.</p>`,
  )
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · latchkey idp</title>
<style>${styles}</style>
</head>
<body><main>${body}</main></body>
</html>
`
}

const styles = `
:root { color-scheme: light dark }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#f6f5f1, #15181b); color: light-dark(#21252b, #e9e8e4) }
main { max-width: 26rem; margin: 10vh auto; padding: 0 1.25rem }
form { display: grid; gap: .6rem }
button { font: inherit; display: grid; text-align: left; padding: .7rem 1rem; border: 1px solid light-dark(#dcdad2, #343a40); border-radius: 10px; background: light-dark(#fff, #1e2226); color: inherit; cursor: pointer }
button:hover { border-color: light-dark(#1f5f4f, #6cc3a8) }
button span { color: light-dark(#5c6570, #a3abb3); font-size: .9rem }
button.plain { border: 0; background: none; color: light-dark(#1f5f4f, #6cc3a8) }
.note { border-left: 4px solid light-dark(#9a2a1f, #ff9d8f); padding-left: 1rem }
:focus-visible { outline: 3px solid light-dark(#1f5f4f, #6cc3a8); outline-offset: 2px }`
