// Sends the forms of the sign-in page as JSON requests, and shows errors beside the fields. Passkeys need it.
const passkey = document.querySelector("#passkey")
const code = document.querySelector("#code")

for (const form of document.querySelectorAll("main form")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void submit(form)
  })
}

if (passkey !== null) passkey.hidden = globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === undefined

async function submit(form) {
  try {
    const body = new URLSearchParams(new FormData(form))
    if (form === passkey) await addPasskey(body)
    follow(form, await ask(form.action, { method: "POST", body }))
  } catch {
    show(form, "That didn't work. Try again.")
  }
}

/** The next step of the sign-in: see docs/headless.md. */
async function ask(url, options) {
  const response = await fetch(url, { headers: { accept: "application/json" }, ...options })
  return response.json()
}

async function addPasskey(body) {
  const { options } = await ask("/auth/webauthn-options/passkey?action=authenticate")
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  body.set("action", "authenticate")
  body.set("data", JSON.stringify(await navigator.credentials.get({ publicKey })))
}

function follow(form, step) {
  if (step.status === "error") return show(form, step.error.message, step.error.field)
  if (step.status !== "email-sent") return location.assign(step.url)
  show(form, `We sent a link to ${step.email}.`)
  if (step.code === undefined) return
  code.hidden = false
  code.action = step.code.url
  code.elements.namedItem("code").focus()
}

function show(form, message, field = "") {
  form.querySelector("[role=alert]").textContent = message
  const wrong = form.elements.namedItem(field)
  for (const input of form.elements) input.setAttribute("aria-invalid", String(input === wrong))
  wrong?.focus()
}
