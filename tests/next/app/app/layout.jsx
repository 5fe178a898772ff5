import { auth } from "../auth.js"
import { SESSION_PROP } from "../env.js"
import { Client } from "./client.jsx"

export default async function Layout({ children }) {
  const session = await auth()
  return (
    <html lang="en">
      <body>
        <header id="layout">{session?.user.name ?? "visitor"}</header>
        <Client session={SESSION_PROP === "none" ? undefined : session}>{children}</Client>
      </body>
    </html>
  )
}
