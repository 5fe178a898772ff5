import { SessionProvider } from "@latchkey/tanstack-start/react"
import { createRootRoute, HeadContent, Link, Outlet, Scripts } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { getSession } from "../auth.functions"
import style from "../style.css?url"

export const Route = createRootRoute({
  loader: () => getSession(),
  head: () => ({
    meta: [{ charSet: "utf-8" }, { name: "viewport", content: "width=device-width" }, { title: "Harbor" }],
    links: [
      { rel: "stylesheet", href: style },
      { rel: "icon", href: "data:," },
    ],
  }),
  shellComponent: Document,
  component: Root,
  notFoundComponent: () => <h1>Not found</h1>,
})

function Document({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        {children}
        <Scripts />
      </body>
    </html>
  )
}

function Root() {
  const session = Route.useLoaderData()
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
