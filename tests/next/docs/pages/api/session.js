import { auth } from "../../auth.js"

export default async function handler(req, res) {
  res.json(await auth(req, res))
}
