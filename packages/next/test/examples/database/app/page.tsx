import { auth } from "@/auth"

export default async function Page() {
  const session = await auth()
  return (
    <p>
      {session?.user?.id ?? "a visitor"} pays for {session?.user?.plan ?? "nothing"}
    </p>
  )
}
