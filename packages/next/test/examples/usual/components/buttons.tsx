import { signIn, signOut } from "@/auth"
import { redirect } from "next/navigation"
import type { ComponentPropsWithRef } from "react"

export function SignIn({ provider, ...props }: { provider?: string } & ComponentPropsWithRef<"button">) {
  return (
    <form
      action={async () => {
        "use server"
        await signIn(provider)
      }}
    >
      <button {...props}>Sign in</button>
    </form>
  )
}

export function SignInLater({ provider }: { provider?: string }) {
  return (
    <form
      action={async () => {
        "use server"
        const url = await signIn(provider, { redirect: false, redirectTo: "/inside" })
        redirect(url.replace("http:", "https:"))
      }}
    >
      <button>Sign in</button>
    </form>
  )
}

export function SignOut(props: ComponentPropsWithRef<"button">) {
  return (
    <form
      action={async () => {
        "use server"
        await signOut({ redirectTo: "/bye" })
      }}
    >
      <button {...props}>Sign out</button>
    </form>
  )
}
