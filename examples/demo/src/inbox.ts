import type { ServerResponse } from "node:http"
import type { Inbox, Message } from "@latchkey/testing"
import { Router } from "express"
import { type Html, html, sendPage } from "./layout.js"

interface Numbered {
  readonly message: Message
  readonly index: number
}

/** Shows the emails that the SMTP server received, newest first. */
export function inboxRoutes(inbox: Inbox): Router {
  const router = Router()
  router.get("/inbox", (_req, res) => {
    const messages = inbox.messages.map((message, index) => ({ message, index })).toReversed()
    sendPage(res, {
      title: "Inbox · Latchkey demo",
      body: inboxPage(
        "Inbox",
        messages.length === 0 ? html`<p>No emails yet.</p>` : html`<ul>${messages.map(listItem)}</ul>`,
      ),
    })
  })
  router.get("/inbox/:index", (req, res, next) => {
    const index = Number(req.params.index)
    const message = inbox.messages[index]
    if (message === undefined) return next()
    sendPage(res, {
      title: `${message.subject} · Latchkey demo`,
      body: inboxPage(message.subject, messageView({ message, index })),
    })
  })
  router.get("/inbox/:index/html", (req, res, next) => {
    const message = inbox.messages[Number(req.params.index)]
    if (message === undefined) return next()
    sendMessage(res, message)
  })
  return router
}

function inboxPage(title: string, body: Html): Html {
  return html`<div class="reading">
<header><h1><img src="/icon.svg" alt=""> ${title}</h1></header>
<main><div class="card">${body}</div></main>
<footer><a href="/">Back to the demo</a> <a href="/inbox">Inbox</a></footer>
</div>`
}

function listItem({ message, index }: Numbered): Html {
  return html`<li><a href="/inbox/${index}">${message.subject}</a> <span class="soft">to ${message.to.join(", ")}</span></li>`
}

function messageView({ message: { to, text, link }, index }: Numbered): Html {
  return html`<p class="soft">To ${to.join(", ")}</p>
<pre class="wrap">${text.trim()}</pre>
<p></p>
${link !== undefined && html`<p><a class="button" href="${link}">Open the link</a></p>`}
<h2>HTML</h2>
<iframe src="/inbox/${index}/html" title="The message" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
}

/** The policy keeps the HTML of an email from running scripts, loading resources or submitting forms. */
function sendMessage(res: ServerResponse, { html }: Message): void {
  res.setHeader("Content-Type", "text/html; charset=utf-8")
  res.setHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'")
  res.end(html)
}
