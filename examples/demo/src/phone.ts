import { oneTimeCode } from "@latchkey/testing"
import { Router } from "express"
import { type Document, type Html, html, sendPage } from "./layout.js"

/** Milliseconds for which a code is shown. */
const step = 30_000

/** Stands for the authenticator app on a phone: it shows the codes of a key. */
export function phoneRoutes(): Router {
  return Router().get("/phone", (req, res) => {
    const typed = typeof req.query["key"] === "string" ? req.query["key"] : ""
    sendPage(res, phonePage(typed.toUpperCase().replaceAll(/[^A-Z2-7]/g, "")))
  })
}

function phonePage(key: string): Document {
  return {
    title: "Phone · Latchkey demo",
    body: html`<main class="narrow">
<div class="card">
<h1>Your phone</h1>
<p class="soft">An authenticator app. Set one up on the account page, and enter the key that it shows.</p>
<form method="get">
<label>Key <input name="key" value="${key}" required autocomplete="off" autocapitalize="characters"></label>
<button>Show the codes</button>
</form>
<p></p>
${key !== "" && codesOf(key, Date.now())}
<p><a href="/">Back to the demo</a></p>
</div>
</main>`,
  }
}

function codesOf(key: string, now: number): Html {
  return html`<p>Now: <code id="code">${oneTimeCode(key, now)}</code></p>
<p>Next: <code id="next-code">${oneTimeCode(key, now + step)}</code>, which works already. A code works once.</p>`
}
