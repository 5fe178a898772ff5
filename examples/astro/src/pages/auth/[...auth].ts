import { auth } from "../../auth"

export const prerender = false
export const { GET, POST } = auth
