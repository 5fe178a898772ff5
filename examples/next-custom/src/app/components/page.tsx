import type { Metadata } from "next"
import { headers } from "next/headers"
import { NextRequest } from "next/server"
import { type MethodsStep, SignedIn, SignedOut, SignIn, UserButton } from "@latchkey/next/components"
import "@latchkey/next/styles.css"
import { handlers } from "@/auth"
import "./components.css"

export const metadata: Metadata = { title: "Components · Harbor" }

export default async function Components() {
  const initial = await methods()
  return (
    <section className="components">
      <h1>Components</h1>
      <SignedIn>
        <p>You&apos;re signed in. Open the menu to sign out:</p>
        <UserButton accountUrl="/account" />
      </SignedIn>
      <SignedOut>
        <SignIn initial={initial} redirectTo="/components" heading={<h2>Sign in to Harbor</h2>} />
      </SignedOut>
    </section>
  )
}

/** What the sign-in route would tell the browser, so that the page has the methods at once. */
async function methods(): Promise<MethodsStep> {
  const given = await headers()
  const url = `${given.get("x-forwarded-proto") ?? "http"}://${given.get("host")}/api/auth/signin`
  const request = new NextRequest(url, { headers: { ...Object.fromEntries(given), accept: "application/json" } })
  return (await handlers.GET(request)).json()
}
