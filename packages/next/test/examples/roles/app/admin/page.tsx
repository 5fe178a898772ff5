import { auth } from "@/auth"
import { redirect } from "next/navigation"

export default async function Admin() {
  const session = await auth()
  if (!session) redirect("/")
  if (session.user.role !== "admin") return <p>For administrators only</p>
  return <p>Welcome, number {session.user.id.toUpperCase()}</p>
}
