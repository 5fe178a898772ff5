import { redirect } from "@tanstack/react-router"
import { createServerFn } from "@tanstack/react-start"
import { auth } from "./auth.server"

export const getSession = createServerFn().handler(() => auth.getSession())

/** For `beforeLoad`. The data is the page that needs the session. */
export const requireSession = createServerFn()
  .validator((page: string) => page)
  .handler(({ data }) => auth.requireSession({ callbackUrl: data }))

export const signIn = createServerFn({ method: "POST" }).handler(() =>
  auth.signIn(undefined, { redirectTo: "/account" }),
)

export const signOut = createServerFn({ method: "POST" }).handler(() => auth.signOut({ redirectTo: "/" }))

export const signInWithPassword = createServerFn({ method: "POST" })
  .validator((form: FormData) => form)
  .handler(async ({ data: form }) => {
    const callbackUrl = textIn(form, "callbackUrl")
    const { to, error } = await auth.signIn("credentials", {
      email: textIn(form, "email"),
      password: textIn(form, "password"),
      redirectTo: callbackUrl,
      redirect: false,
    })
    const again = `/sign-in?${new URLSearchParams({ error: error?.type ?? "", callbackUrl })}`
    throw redirect({ href: error === undefined ? to : again, statusCode: 303 })
  })

export const rename = createServerFn({ method: "POST" })
  .validator((form: FormData) => form)
  .handler(async ({ data: form }) => {
    await auth.requireSession({ callbackUrl: "/account" })
    await auth.update({ user: { name: textIn(form, "name") } })
    throw redirect({ href: "/account", statusCode: 303 })
  })

function textIn(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === "string" ? value : ""
}
