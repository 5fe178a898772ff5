import { providerMap, signIn } from "@/auth"
import { AuthError } from "next-auth"
import { redirect } from "next/navigation"

export default async function Page({ searchParams }: { searchParams: Promise<{ callbackUrl?: string }> }) {
  const { callbackUrl } = await searchParams
  return (
    <>
      <form
        action={async (form: FormData) => {
          "use server"
          try {
            await signIn("credentials", form)
          } catch (error) {
            if (error instanceof AuthError) return redirect(`/signin?error=${error.type}`)
            throw error
          }
        }}
      >
        <input name="code" />
      </form>
      {Object.values(providerMap).map(({ id, name }) => (
        <form
          key={id}
          action={async () => {
            "use server"
            await signIn(id, { redirectTo: callbackUrl ?? "" }, { login_hint: "tess@site.test" })
          }}
        >
          <button>Sign in with {name}</button>
        </form>
      ))}
      <form
        action={async (form) => {
          "use server"
          await signIn("nodemailer", { email: form.get("email"), redirect: true, redirectTo: "/" })
        }}
      >
        <input name="email" />
      </form>
    </>
  )
}
