import { offerAutofill, supportsAutofill } from "../autofill.js"
import { runCeremony, supportsPasskeys } from "../credential.js"

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

/** The answer of the options endpoint. */
interface Answer {
  readonly action: string
  readonly options: object
}

/** The pending request. A browser allows only one, so the forms of the page share it. */
let pending: AbortController | undefined
let startAutofill = (): void => {}

/** Lets the passkey forms of the page request options, ask the browser for a passkey, and submit the result. */
export function setUpPasskeys(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) setUp(form)

  // A page from the back/forward cache shows the attempt that left it.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload()
  })
}

function setUp(form: HTMLFormElement): void {
  const { url, autofill, texts }: Settings = JSON.parse(form.dataset["passkey"] ?? "")

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

  async function attempt(chosen: string): Promise<void> {
    show(texts["waiting"])
    const signal = replacePending()
    try {
      const { action, options } = await ask(queryOf(form, chosen), signal)
      submit(form, { action, data: await runCeremony(action, options, { signal }) })
    } catch (error) {
      // Another attempt replaced this one.
      if (signal.aborted) return
      const name = error instanceof Error ? error.name : String(error)
      show("", texts[`${name} ${chosen}`] ?? texts[name] ?? texts["failed"])
      startAutofill()
    }
  }

  async function setUpAutofill(): Promise<void> {
    if (!(await supportsAutofill())) return
    startAutofill = () => {
      const signal = replacePending()
      const action = "authenticate"
      const getOptions = async () => (await ask(new URLSearchParams({ action }), signal)).options
      // The user asked for nothing, so a failure isn't shown.
      offerAutofill(getOptions, signal).then(
        (data) => submit(form, { action, data }),
        () => {},
      )
    }
    // The user may have selected a button in the meantime.
    if (pending === undefined) startAutofill()
  }

  /** @throws the HTTP status if the server refuses */
  async function ask(query: URLSearchParams, signal: AbortSignal): Promise<Answer> {
    const response = await fetch(`${url}?${query}`, { signal })
    if (!response.ok) throw response.status
    return response.json()
  }

  function show(status: string | undefined, problem?: string): void {
    const [statusLine, alert] = form.querySelectorAll("[role=status],[role=alert]")
    if (statusLine) statusLine.textContent = status ?? ""
    if (alert) alert.textContent = problem ?? ""
  }
}

/** Cancels the pending request. @returns the signal for the next one */
function replacePending(): AbortSignal {
  pending?.abort()
  pending = new AbortController()
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

function submit(form: HTMLFormElement, result: Readonly<Record<string, string>>): void {
  const addFields = ({ formData }: FormDataEvent) => {
    for (const [name, value] of Object.entries(result)) formData.set(name, value)
  }
  form.addEventListener("formdata", addFields, { once: true })
  // A field named `submit` shadows the method.
  HTMLFormElement.prototype.submit.call(form)
}
