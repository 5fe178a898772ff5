import { AuthError } from "next-auth"
import { redirect } from "next/navigation"
import { auth, signIn } from "../../auth"

export default async function Login({ searchParams }) {
  const { code, lang } = await searchParams
  const session = await auth()
  return (
    <form
      action={async (formData) => {
        "use server"
        try {
          await signIn("credentials", formData)
        } catch (error) {
          if (error instanceof AuthError) redirect(`/login?code=${error.type}-${error.code}`)
          throw error
        }
      }}
    >
      <p id="lang">{lang}</p>
      <p id="code">{code}</p>
      <p id="user">{JSON.stringify(session?.user)}</p>
      <input aria-label="Username" name="username" />
      <input aria-label="Password" name="password" type="password" />
      <button>Sign in</button>
    </form>
  )
}
