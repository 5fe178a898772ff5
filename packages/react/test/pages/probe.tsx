// Shows the result of the hooks and lets tests call every function.
import {
  __NEXTAUTH,
  getCsrfToken,
  getProviders,
  getSession,
  revalidate,
  SessionProvider,
  type SessionProviderProps,
  signIn,
  signOut,
  useSession,
} from "@latchkey/react"
import { createAuthClient } from "@latchkey/client"
import { signIn as signInWithPasskey } from "@latchkey/react/webauthn"
import { Component, type ReactNode, StrictMode, useEffect } from "react"
import { createRoot, hydrateRoot, type Root } from "react-dom/client"
import { SessionText } from "./session-text.js"

/** What a test sets before the page loads. */
export interface Setup {
  readonly props?: Omit<SessionProviderProps, "children">
  readonly strict?: boolean
  readonly hydrate?: boolean
  /** How many components require a session. */
  readonly required?: number
  /** They call `onUnauthenticated` instead of redirecting to the sign-in page. */
  readonly counted?: boolean
  /** Call `update` on mount. */
  readonly eager?: boolean
  /** Render without a provider. */
  readonly bare?: boolean
}

declare global {
  interface Window {
    readonly setup: Setup
    readonly states: string[]
    readonly calls: string[]
    app: unknown
  }
}

const { setup } = window
let props = setup.props ?? {}
let root: Root | undefined
let update: ((data?: unknown) => Promise<unknown>) | undefined

function Probe() {
  const session = useSession()
  update = session.update
  useEffect(() => {
    if (setup.eager === true) void session.update({ name: "eager" })
    // Only on mount.
  }, [])
  const text = `${session.status} ${session.data?.user?.name ?? typeof session.data}`
  if (window.states.at(-1) !== text) window.states.push(text)
  return <SessionText {...session} />
}

function Required() {
  const options = setup.counted === true ? { onUnauthenticated: () => window.calls.push("onUnauthenticated") } : {}
  const { status, data } = useSession({ required: true, ...options })
  return <p className="required">{status === "authenticated" ? `for ${data.user?.name}` : status}</p>
}

class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly message?: string }> {
  override state: { readonly message?: string } = {}
  static getDerivedStateFromError = (error: Error) => ({ message: error.message })
  override render() {
    return this.state.message === undefined ? this.props.children : <p id="who">{this.state.message}</p>
  }
}

function Page() {
  if (setup.bare === true) return <ErrorBoundary>{<Probe />}</ErrorBoundary>
  const required = Array.from({ length: setup.required ?? 0 }, (_, index) => <Required key={index} />)
  return (
    <SessionProvider basePath="/auth" {...props}>
      <Probe />
      {required}
    </SessionProvider>
  )
}

function render() {
  const page = setup.strict === true ? <StrictMode>{<Page />}</StrictMode> : <Page />
  const container = document.getElementById("root")
  if (container === null) throw new Error("The page has no root")
  if (root !== undefined) return root.render(page)
  if (setup.hydrate === true) return (root = hydrateRoot(container, page))
  root = createRoot(container)
  root.render(page)
}

window.app = {
  signIn,
  signOut,
  signInWithPasskey,
  getSession,
  getCsrfToken,
  getProviders,
  revalidate,
  createAuthClient,
  config: __NEXTAUTH,
  update: (data?: unknown) => update?.(data),
  setProps(changed: typeof props) {
    props = { ...props, ...changed }
    render()
  },
  unmount() {
    root?.unmount()
    root = undefined
  },
  render,
}
render()
