import type { Session } from "@latchkey/core/types"
import { type Strategy, strategies } from "./auth.js"
import type { FeedEvent } from "./events.js"
import { type Document, type Html, html } from "./layout.js"
import { passkeyForm, passkeyScript } from "./passkey.js"
import type { Table } from "./store.js"
import type { DemoUser } from "./users.js"

export interface View {
  readonly strategy: Strategy
  readonly session: Session | null
  readonly csrfToken: string
  readonly users: readonly DemoUser[]
  readonly tables: readonly Table[]
  readonly events: readonly FeedEvent[]
  /** Number of emails in the inbox. */
  readonly messages: number
  /** Issuer of the OpenID provider. */
  readonly issuer: string
}

export function demoPage(view: View): Document {
  const { strategy, session, issuer } = view
  return {
    title: "Latchkey demo",
    formTargets: [issuer],
    script: passkeyScript + live,
    body: html`<header>
<h1><img src="/icon.svg" alt=""> Latchkey demo</h1>
<nav class="switch" aria-label="Session strategy">${strategies.map((one) => choice(one, one === strategy))}</nav>
</header>
<main>
${session === null ? signIn(view) : signedIn(view, session)}
<div class="two">
<section class="card" aria-labelledby="session-title">
<h2 id="session-title">Session</h2>
<p class="soft">The browser gets it from <a href="${strategy.mount}/session">${strategy.mount}/session</a>.</p>
<pre id="session" tabindex="0">${JSON.stringify(session, null, 2)}</pre>
</section>
<section class="card" aria-labelledby="events-title">
<h2 id="events-title">Events</h2>
<p class="soft">Live, newest first.</p>
<div class="events" role="log" aria-labelledby="events-title" tabindex="0"><ul id="events">${view.events.map(eventItem)}</ul></div>
</section>
</div>
<section class="card" aria-labelledby="rows-title">
<h2 id="rows-title">Database</h2>
<p class="soft">The rows in the SQLite file. Secrets are shortened.</p>
${view.tables.map(table)}
</section>
</main>
${footer(view)}`,
  }
}

function choice({ title, page }: Strategy, current: boolean): Html {
  return html`<a href="${page}"${current && html` aria-current="page"`}>${title}</a>`
}

function signedIn({ strategy, csrfToken }: View, { user }: Session): Html {
  const name = user?.name ?? user?.email ?? "User"
  return html`<section class="card who" aria-label="Signed in">
<span class="initial" aria-hidden="true">${name.slice(0, 1).toUpperCase()}</span>
<p><strong id="who">${name}</strong><span class="soft">${user?.email ?? "no email"}</span></p>
<a href="${strategy.mount}/account">Account</a>
<span class="soft">Set up a second step there. Your <a href="/phone" target="_blank">phone</a> shows the codes.</span>
${passkeyForm(strategy.mount, html`<button class="plain" name="action" value="register">Add a passkey</button>`)}
<form method="post" action="${strategy.mount}/signout">
${hidden({ strategy, csrfToken })}
<button>Sign out</button>
</form>
</section>`
}

function signIn(view: View): Html {
  return html`<p>You aren't signed in. Try the five ways to sign in and the two session strategies.</p>
<div class="two">
<section class="card" aria-labelledby="provider-title">
<h2 id="provider-title">With a provider</h2>
<p class="soft">You choose a user at <code>${view.issuer}</code> and return to this page.</p>
${form(view, "signin/openid", html`<button>Sign in with OpenID</button>`)}
<p></p>
${form(view, "signin/oauth", html`<button>Sign in with OAuth</button>`)}
</section>
<section class="card" aria-labelledby="email-title">
<h2 id="email-title">By email</h2>
<p class="soft">Enter any email. All emails arrive in the <a href="/inbox" target="_blank">inbox</a>.</p>
${form(
  view,
  "signin/nodemailer",
  html`<label>Email <input type="email" name="email" required autocomplete="email" placeholder="ada@example.com"></label>
<button>Send a link</button>`,
)}
</section>
<section class="card" aria-labelledby="password-title">
<h2 id="password-title">With a password</h2>
${form(
  view,
  "callback/password",
  html`<label>Email of your account <input type="email" name="email" required autocomplete="username"></label>
<label>Password <input type="password" name="password" required autocomplete="current-password"></label>
<button>Sign in with a password</button>`,
)}
<p></p>
<p class="soft">${view.users.map(({ email, password }, index) => html`${index > 0 && ", "}<code>${email}</code> / <code>${password}</code>`)}</p>
<p><a href="${view.strategy.mount}/password/sign-up">Create an account</a>, or <a href="${view.strategy.mount}/password/forgot">reset a password</a>.</p>
</section>
<section class="card" aria-labelledby="passkey-title">
<h2 id="passkey-title">With a passkey</h2>
<p class="soft">Create one with an email. To sign in, you only need the passkey. After a sign-in in another way, you can add one.</p>
${passkeyForm(
  view.strategy.mount,
  html`<label>Email for a new passkey <input type="email" name="email" autocomplete="username webauthn" placeholder="ada@example.org"></label>
<button name="action" value="authenticate">Sign in with a passkey</button>
<button class="plain" name="action" value="register">Create a passkey</button>`,
)}
</section>
</div>`
}

function form(view: View, path: string, fields: Html): Html {
  return html`<form method="post" action="${view.strategy.mount}/${path}">${hidden(view)}${fields}</form>`
}

function hidden({ strategy, csrfToken }: Pick<View, "strategy" | "csrfToken">): Html {
  return html`<input type="hidden" name="csrfToken" value="${csrfToken}">
<input type="hidden" name="callbackUrl" value="${strategy.page}">`
}

function eventItem({ time, name, detail }: FeedEvent): Html {
  return html`<li>${time} <b>${name}</b> ${detail}</li>`
}

function table({ name, columns, rows }: Table): Html {
  const heading = html`<h3>${name} <span class="soft">${rows.length === 0 ? "empty" : rows.length}</span></h3>`
  if (rows.length === 0) return heading
  return html`${heading}<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`
}

function footer({ strategy, messages, issuer }: View): Html {
  return html`<footer>
<a href="/inbox">Inbox (${messages})</a>
<a href="/phone">Phone</a>
<a href="${strategy.mount}/signin">Built-in sign-in page</a>
<a href="${strategy.mount}/providers">Providers</a>
<a href="${issuer}/.well-known/openid-configuration">Metadata of the OpenID provider</a>
</footer>`
}

/** Adds new events to the page. Everything else but passkeys works without JavaScript. */
const live = `
const list = document.getElementById("events")
new EventSource("/events").onmessage = ({ data }) => {
  const { time, name, detail } = JSON.parse(data)
  const item = document.createElement("li")
  const bold = document.createElement("b")
  bold.textContent = name
  item.append(time + " ", bold, " " + detail)
  list.prepend(item)
}
`
