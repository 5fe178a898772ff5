// A page that shows what the hooks say, and lets a test call everything from outside.
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
import { Who } from "./who.js"

/** What the test decided before the page was loaded. */
export interface Setup {
  readonly props?: Omit<SessionProviderProps, "children">
  readonly strict?: boolean
  readonly hydrate?: boolean
  /** Components that require a session. */
  readonly required?: number
  /** They call this instead of going to the sign-in page. */
  readonly counted?: boolean
  /** Two components call `update` as soon as they are there. */
  readonly eager?: boolean
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
    // Once, whatever the session becomes.
  }, [])
  const told = `${session.status} ${session.data?.user?.name ?? typeof session.data}`
  if (window.states.at(-1) !== told) window.states.push(told)
  return <Who {...session} />
}

function Required() {
  const options = setup.counted === true ? { onUnauthenticated: () => window.calls.push("onUnauthenticated") } : {}
  const { status, data } = useSession({ required: true, ...options })
  return <p className="required">{status === "authenticated" ? `for ${data.user?.name}` : status}</p>
}

class Fence extends Component<{ readonly children: ReactNode }, { readonly message?: string }> {
  override state: { readonly message?: string } = {}
  static getDerivedStateFromError = (error: Error) => ({ message: error.message })
  override render() {
    return this.state.message === undefined ? this.props.children : <p id="who">{this.state.message}</p>
  }
}

function Page() {
  if (setup.bare === true) return <Fence>{<Probe />}</Fence>
  const many = Array.from({ length: setup.required ?? 0 }, (_, index) => <Required key={index} />)
  return (
    <SessionProvider basePath="/auth" {...props}>
      <Probe />
      {many}
    </SessionProvider>
  )
}

function render() {
  const page = setup.strict === true ? <StrictMode>{<Page />}</StrictMode> : <Page />
  const place = document.getElementById("root")
  if (place === null) throw new Error("The page has no root")
  if (root !== undefined) return root.render(page)
  if (setup.hydrate === true) return (root = hydrateRoot(place, page))
  root = createRoot(place)
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
