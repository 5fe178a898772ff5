const texts: Readonly<Record<string, string>> = {
  title: "تسجيل الدخول إلى {client}",
  asks: "يريد {client} تسجيل دخولك بحسابك في {app}. لا تتابع إلا إذا فتحت هذه الصفحة من التطبيق.",
  as: "أنت مسجّل الدخول باسم {user}.",
  continue: "متابعة",
  cancel: "إلغاء",
  unknown: "تعذّرت الإجابة عن هذا الطلب",
  unknownText:
    "التطبيق الذي فتح هذه الصفحة غير معروف هنا، أو أن طلبه غير صالح أو قديم جدًا. ارجع إلى التطبيق وحاول مرة أخرى.",
  apps: "التطبيقات",
  app: "{client}، منذ {date}",
  end: "تسجيل الخروج من {client}",
}

export default texts
