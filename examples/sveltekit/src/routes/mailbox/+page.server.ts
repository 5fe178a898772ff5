import { error } from "@sveltejs/kit"
import { mails } from "../../database"
import { hasMailbox } from "../../email"
import type { PageServerLoad } from "./$types"

/** Replaces a mail service. */
export const load: PageServerLoad = () => {
  if (!hasMailbox) error(404)
  return { mails: mails().map((mail) => ({ ...mail, link: /https?:\/\/\S+/.exec(mail.text)?.[0] })) }
}
