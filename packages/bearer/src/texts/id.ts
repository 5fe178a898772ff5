const texts: Readonly<Record<string, string>> = {
  title: "Masuk ke {client}",
  asks: "{client} ingin memasukkan Anda dengan akun Anda di {app}. Lanjutkan hanya jika Anda membuka halaman ini dari aplikasi.",
  as: "Anda masuk sebagai {user}.",
  continue: "Lanjutkan",
  cancel: "Batal",
  unknown: "Permintaan ini tidak dapat dijawab",
  unknownText:
    "Aplikasi yang membuka halaman ini tidak dikenal di sini, atau permintaannya tidak valid atau terlalu lama. Kembali ke aplikasi dan coba lagi.",
  apps: "Aplikasi",
  app: "{client}, sejak {date}",
  end: "Keluar dari {client}",
}

export default texts
