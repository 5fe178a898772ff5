import { auth } from "../../auth"

export default async function Transfer() {
  const { user } = await auth({ maxAge: "1h" })
  return <p id="account">{user.email}</p>
}
