export default function Home() {
  return <h1>SolidStart</h1>
}
