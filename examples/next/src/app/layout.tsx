import { SessionProvider } from "@latchkey/next/react"
import type { Metadata } from "next"
import Link from "next/link"
import type { ReactNode } from "react"
import { auth } from "@/auth"
import { Visitor } from "@/components/visitor"
import "./style.css"

export const metadata: Metadata = { title: "Harbour", description: "An application with Latchkey and Next.js" }

export default async function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <SessionProvider session={await auth()}>
          <header>
            <Link href="/" className="brand">
              Harbour
            </Link>
            <nav>
              <Link href="/account">Account</Link>
              {/* Fetched ahead, it would be a 403 in the console of every member. */}
              <Link href="/admin" prefetch={false}>
                Administration
              </Link>
            </nav>
            <Visitor />
          </header>
          <main>{children}</main>
          <footer>
            An example of <code>@latchkey/next</code>
          </footer>
        </SessionProvider>
      </body>
    </html>
  )
}
