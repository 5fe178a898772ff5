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

/** What the page says about a passkey button, in the same attribute. */
interface ButtonSettings extends Pick<Settings, "texts"> {
  /** What the endpoint would return. */
  readonly options: object
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
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-passkey]")) setUpButton(button)

  // A page from the back/forward cache shows the attempt that left it.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload()
  })
}

/** A button in a form that has other ways to go on. */
function setUpButton(button: HTMLButtonElement): void {
  const { form } = button
  if (form === null) return
  const { options, texts }: ButtonSettings = JSON.parse(button.dataset["passkey"] ?? "")
  if (!supportsPasskeys()) return show(form, "", texts["unsupported"])
  button.hidden = false
  const action = "authenticate"
  button.addEventListener("click", () => {
    void attempt({ form, texts, action }, async (signal) => ({
      passkey: await runCeremony(action, options, { signal }),
    }))
  })
}

interface Attempt extends Pick<Settings, "texts"> {
  readonly form: HTMLFormElement
  readonly action: string
}

/** Submits the form with the fields that `prove` returns. */
async function attempt(
  { form, texts, action }: Attempt,
  prove: (signal: AbortSignal) => Promise<Readonly<Record<string, string>>>,
): Promise<void> {
  show(form, texts["waiting"])
  const signal = replacePending()
  try {
    submit(form, await prove(signal))
  } catch (error) {
    // Another attempt replaced this one.
    if (signal.aborted) return
    const name = error instanceof Error ? error.name : String(error)
    show(form, "", texts[`${name} ${action}`] ?? texts[name] ?? texts["failed"])
    startAutofill()
  }
}

function setUp(form: HTMLFormElement): void {
  const { url, autofill, texts }: Settings = JSON.parse(form.dataset["passkey"] ?? "")

  if (!supportsPasskeys()) {
    for (const button of form.querySelectorAll("button")) button.disabled = true
    return show(form, "", texts["unsupported"])
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const button = event.submitter
    const chosen = (button instanceof HTMLButtonElement && button.value) || "authenticate"
    void attempt({ form, texts, action: chosen }, async (signal) => {
      const { action, options } = await ask(queryOf(form, chosen), signal)
      return { action, data: await runCeremony(action, options, { signal }) }
    })
  })
  if (autofill) void setUpAutofill()

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
}

function show(form: HTMLFormElement, status: string | undefined, problem?: string): void {
  const [statusLine, alert] = form.querySelectorAll("[role=status],[role=alert]")
  if (statusLine) statusLine.textContent = status ?? ""
  if (alert) alert.textContent = problem ?? ""
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
