// Shows what the hooks return, and lets tests call the client.
import type { AuthClient } from "@latchkey/client"
import { SessionProvider, type SessionProviderProps, useAuthClient, useSession } from "@latchkey/solid"
import { createComponent, createRenderEffect, createSignal, type JSX, mergeProps } from "solid-js"
import { render } from "solid-js/web"

/** What a test sets before the page loads. */
export interface Setup {
  readonly session?: SessionProviderProps["session"]
  /** More props of the provider, whatever their names. */
  readonly props?: object
  /** How many components require a session. */
  readonly required?: number
  /** They call `onUnauthenticated` instead of redirecting to the sign-in page. */
  readonly counted?: boolean
  /** Render without a provider. */
  readonly bare?: boolean
}

declare global {
  interface Window {
    readonly setup: Setup
    readonly states: string[]
    readonly calls: string[]
    app: object
  }
}

const { setup } = window
const [session, setSession] = createSignal(setup.session)

function paragraph(id: string, text: () => string): JSX.Element {
  const element = document.createElement("p")
  element.className = id
  createRenderEffect(() => {
    element.textContent = text()
  })
  return element
}

function Probe(): JSX.Element {
  const state = useSession()
  const client: AuthClient = useAuthClient()
  Object.assign(window.app, client, { setSession })
  return paragraph("who", () => {
    const text = `${state.status} ${state.data?.user?.name ?? typeof state.data}`
    if (window.states.at(-1) !== text) window.states.push(text)
    return text
  })
}

function Required(): JSX.Element {
  const options = setup.counted === true ? { onUnauthenticated: () => void window.calls.push("onUnauthenticated") } : {}
  const state = useSession({ required: true, ...options })
  return paragraph("required", () => (state.status === "authenticated" ? `for ${state.data.user?.name}` : state.status))
}

function Page(): JSX.Element {
  if (setup.bare === true) return createComponent(Probe, {})
  const props = {
    get session() {
      return session()
    },
    get children() {
      const required = Array.from({ length: setup.required ?? 0 }, () => createComponent(Required, {}))
      return [createComponent(Probe, {}), ...required]
    },
  }
  return createComponent(SessionProvider, mergeProps(setup.props, props))
}

window.app = {}
const root = document.getElementById("root")
if (root === null) throw new Error("The page has no root")
try {
  Object.assign(window.app, { unmount: render(() => createComponent(Page, {}), root) })
} catch (error) {
  root.textContent = String(error)
}
