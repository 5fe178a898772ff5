import type { ServerResponse } from "node:http"
import type { Inbox, Message } from "@latchkey/testing"
import { Router } from "express"
import { type Html, html, sendPage } from "./layout.js"

interface Numbered {
  readonly message: Message
  readonly index: number
}

/** The mailbox of everybody: what the SMTP server took in, the newest first. */
export function inboxRoutes(inbox: Inbox): Router {
  const router = Router()
  router.get("/inbox", (_req, res) => {
    const messages = inbox.messages.map((message, index) => ({ message, index })).toReversed()
    sendPage(res, {
      title: "Inbox · Latchkey demo",
      body: reading(
        "Inbox",
        messages.length === 0 ? html`<p>Nothing has come yet.</p>` : html`<ul>${messages.map(line)}</ul>`,
      ),
    })
  })
  router.get("/inbox/:index", (req, res, next) => {
    const index = Number(req.params.index)
    const message = inbox.messages[index]
    if (message === undefined) return next()
    sendPage(res, {
      title: `${message.subject} · Latchkey demo`,
      body: reading(message.subject, letter({ message, index })),
    })
  })
  router.get("/inbox/:index/html", (req, res, next) => {
    const message = inbox.messages[Number(req.params.index)]
    if (message === undefined) return next()
    sendMessage(res, message)
  })
  return router
}

function reading(title: string, body: Html): Html {
  return html`<div class="reading">
<header><h1><img src="/icon.svg" alt=""> ${title}</h1></header>
<main><div class="card">${body}</div></main>
<footer><a href="/">Back to the demo</a> <a href="/inbox">Inbox</a></footer>
</div>`
}

function line({ message, index }: Numbered): Html {
  return html`<li><a href="/inbox/${index}">${message.subject}</a> <span class="soft">to ${message.to.join(", ")}</span></li>`
}

function letter({ message: { to, text, link }, index }: Numbered): Html {
  return html`<p class="soft">To ${to.join(", ")}</p>
<pre class="wrap">${text.trim()}</pre>
<p></p>
${link !== undefined && html`<p><a class="button" href="${link}">Open the link</a></p>`}
<h2>As a mail program shows it</h2>
<iframe src="/inbox/${index}/html" title="The message" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
}

/** A message is a stranger's page: nothing in it may run, load or be sent. */
function sendMessage(res: ServerResponse, { html }: Message): void {
  res.setHeader("Content-Type", "text/html; charset=utf-8")
  res.setHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'")
  res.end(html)
}
