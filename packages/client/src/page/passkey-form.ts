// The script of the built-in sign-in page. tools/page-scripts.mjs bundles it into @latchkey/core.
import { runCeremony, supportsAutofill, supportsPasskeys } from "../credential.js"

/** What the page says about a passkey form, as JSON in its `data-passkey` attribute. */
interface Settings {
  /** URL of the options endpoint. */
  readonly url: string
  /** Offer passkeys in the browser's autofill. */
  readonly autofill: boolean
  /**
   * Text by the name of a DOMException or the HTTP status of the options endpoint. A key with the action, such as
   * `NotAllowedError register`, takes precedence. `failed` is for everything else.
   */
  readonly texts: Readonly<Record<string, string | undefined>>
}

/** Milliseconds. The server accepts a challenge for 15 minutes, so the autofill gets a new one before that. */
const autofillLifetime = 600_000

/** The pending request. A browser allows only one, so the forms of the page share it. */
let pending: AbortController | undefined
let offeredAt = Infinity
let offerAutofill = (): void => {}

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) setUp(form)

// A page from the back/forward cache shows the attempt that left it.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload()
})

function setUp(form: HTMLFormElement): void {
  const { url, autofill, texts }: Settings = JSON.parse(form.dataset["passkey"] ?? "")

  function show(status: string | undefined, problem?: string): void {
    const [statusLine, alert] = form.querySelectorAll("[role=status],[role=alert]")
    if (statusLine) statusLine.textContent = status ?? ""
    if (alert) alert.textContent = problem ?? ""
  }

  if (!supportsPasskeys()) {
    for (const button of form.querySelectorAll("button")) button.disabled = true
    return show("", texts["unsupported"])
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const button = event.submitter
    void attempt((button instanceof HTMLButtonElement && button.value) || "authenticate")
  })
  if (autofill) void setUpAutofill()

  async function attempt(action: string): Promise<void> {
    show(texts["waiting"])
    const signal = replacePending()
    try {
      await signIn(action, { signal })
    } catch (error) {
      // Another attempt replaced this one.
      if (signal.aborted) return
      const name = error instanceof Error ? error.name : String(error)
      show("", texts[`${name} ${action}`] ?? texts[name] ?? texts["failed"])
      offerAutofill()
    }
  }

  /** @throws the HTTP status if the server refuses; DOMException if the browser does */
  async function signIn(action: string, how: Parameters<typeof runCeremony>[2]): Promise<void> {
    const query = how.mediation ? new URLSearchParams({ action }) : queryOf(form, action)
    const response = await fetch(`${url}?${query}`, { signal: how.signal })
    if (!response.ok) throw response.status
    const answer: { readonly action: string; readonly options: object } = await response.json()
    const data = await runCeremony(answer.action, answer.options, how)
    const addFields = ({ formData }: FormDataEvent) => {
      formData.set("action", answer.action)
      formData.set("data", data)
    }
    form.addEventListener("formdata", addFields, { once: true })
    // A field named `submit` shadows the method.
    HTMLFormElement.prototype.submit.call(form)
  }

  async function setUpAutofill(): Promise<void> {
    if (!(await supportsAutofill())) return
    offerAutofill = () => {
      const signal = replacePending()
      offeredAt = Date.now()
      // The user didn't ask for anything, so a failure isn't shown.
      signIn("authenticate", { signal, mediation: "conditional" }).catch(() => {})
    }
    const renew = () => {
      if (!document.hidden && Date.now() - offeredAt > autofillLifetime) offerAutofill()
    }
    document.addEventListener("visibilitychange", renew)
    setInterval(renew, 60_000)
    // The user may have selected a button in the meantime.
    if (pending === undefined) offerAutofill()
  }
}

/** Cancels the pending request. @returns the signal for the next one */
function replacePending(): AbortSignal {
  pending?.abort()
  pending = new AbortController()
  offeredAt = Infinity
  return pending.signal
}

/** The fields of the provider, without the CSRF token. */
function queryOf(form: HTMLFormElement, action: string): URLSearchParams {
  const names = [...form.querySelectorAll<HTMLInputElement>("[data-form-field]")].map(({ name }) => name)
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form)) {
    if (names.includes(name) && typeof value === "string") query.set(name, value)
  }
  query.set("action", action)
  return query
}
