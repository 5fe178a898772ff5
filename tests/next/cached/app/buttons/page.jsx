import { AddPasskey } from "@/components/add-passkey"
import { SignInButton, SignOutButton } from "@/components/sign-in-button"
import { UserMenu } from "@/components/user-menu"

export default function Page() {
  return (
    <>
      <SignInButton />
      <SignOutButton />
      <UserMenu />
      <AddPasskey />
    </>
  )
}
