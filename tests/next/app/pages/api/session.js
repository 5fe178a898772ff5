import { auth } from "../../auth.js"

export default async function handler(req, res) {
  await auth(req, res)
  res.json(await auth(req, res))
}
