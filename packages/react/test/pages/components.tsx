// Shows the components as an application does.
import { SessionProvider, type SessionProviderProps } from "@latchkey/react"
import { SignedIn, SignedOut, SignInButton, SignOutButton, UserButton } from "@latchkey/react/components"
import { StrictMode } from "react"
import { createRoot, hydrateRoot } from "react-dom/client"

/** What a test sets before the page loads. */
export interface ComponentsSetup {
  readonly props?: Omit<SessionProviderProps, "children">
  readonly hydrate?: boolean
}

function Page({ props }: ComponentsSetup) {
  return (
    <StrictMode>
      <SessionProvider basePath="/auth" {...props}>
        <main>
          <h1>Page</h1>
          <SignedIn fallback={<p>Loading</p>}>{(session) => <p id="who">{session.user?.name}</p>}</SignedIn>
          <SignedOut>
            <p id="who">visitor</p>
            <SignInButton redirectTo="/next" />
          </SignedOut>
          <UserButton>
            <a href="/orders">Orders</a>
          </UserButton>
          <SignedIn>
            <SignOutButton redirectTo="/bye">Leave</SignOutButton>
          </SignedIn>
        </main>
      </SessionProvider>
    </StrictMode>
  )
}

const setup: ComponentsSetup = Reflect.get(window, "setup")
const container = document.getElementById("root")
if (container === null) throw new Error("The page has no root")
const page = <Page {...setup} />
if (setup.hydrate === true) hydrateRoot(container, page)
else createRoot(container).render(page)
