export default function Private() {
  return <p id="user">the private page</p>
}
