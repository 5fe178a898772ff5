import { SessionProvider } from "@latchkey/next/react"
import type { Metadata } from "next"
import Link from "next/link"
import type { ReactNode } from "react"
import { auth } from "@/auth"
import { UserMenu } from "@/components/user-menu"
import "./style.css"

export const metadata: Metadata = { title: "Harbor", description: "An example of Latchkey with Next.js" }

export default async function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <SessionProvider session={await auth()}>
          <header>
            <Link href="/" className="brand">
              Harbor
            </Link>
            <nav>
              <Link href="/account">Account</Link>
              {/* Prefetching it would log a 403 in the console of every member. */}
              <Link href="/admin" prefetch={false}>
                Administration
              </Link>
            </nav>
            <UserMenu />
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
