import type { ReactNode } from "react"
import { auth } from "../auth"

export default async function Layout({ children }: { readonly children: ReactNode }) {
  const session = await auth()
  return (
    <html lang="en">
      <body data-signed-in={session !== null}>{children}</body>
    </html>
  )
}
