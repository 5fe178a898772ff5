import { signIn, signOut } from "../../auth"

export async function GET(request) {
  if (request.nextUrl.searchParams.has("leave")) await signOut({ redirectTo: "/login?lang=de" })
  await signIn("credentials", { username: "alan", password: "open sesame", redirectTo: "/login?lang=fr" })
}
