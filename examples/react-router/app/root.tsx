import { SessionProvider } from "@latchkey/react-router/react"
import type { ReactNode } from "react"
import { Link, Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router"
import type { Route } from "./+types/root"
import { auth } from "./auth.server"
import "./style.css"

export const middleware = [auth.middleware]

export async function loader(args: Route.LoaderArgs) {
  return { session: await auth.getSession(args) }
}

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Harbor</title>
        <link rel="icon" href="data:," />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function Root({ loaderData: { session } }: Route.ComponentProps) {
  return (
    <SessionProvider session={session}>
      <header>
        <Link className="brand" to="/">
          Harbor
        </Link>
        <nav>
          <Link to="/account">Account</Link>
          <Link to="/client">In the browser</Link>
        </nav>
        <div className="user-menu">{session?.user.name}</div>
      </header>
      <main>
        <Outlet />
      </main>
    </SessionProvider>
  )
}
