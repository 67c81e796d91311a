//! `derive(Fact)` for the events of a game and `derive(Secret)` for what they are made of.
//!
//! Both read from the declaration who may see which field, and write the type that viewers get, as `<Name>View`, with the same variants,
//! fields, documentation and JSON, but for what is hidden. A field about which nothing is said does not compile. The kernel documents
//! the attributes, beside its traits `Fact` and `Secret`; ADR 0015 says why they are macros.

mod attributes;

use attributes::{Hidden, How, News, Of, Open, Ruled, Rules, is, unbounded};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Error, Field, Fields, LitStr, Meta, Token, parse_macro_input,
};

/// For an enum of events: implements `kernel::Fact` and `kernel::Secret`.
#[proc_macro_derive(Fact, attributes(secret, open, news, hidden))]
pub fn fact(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input, true).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// For a struct with hidden fields: implements `kernel::Secret`.
#[proc_macro_derive(Secret, attributes(secret, open, hidden))]
pub fn secret(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input, false).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// For a type of which everybody may see all: implements `kernel::Open`.
#[proc_macro_derive(Open, attributes(open))]
pub fn open(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand_open(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Each field is named, and is of a type that is open too.
fn expand_open(input: &DeriveInput) -> Result<TokenStream, Error> {
    let (name, (generics, arguments, bounds)) = (&input.ident, input.generics.split_for_impl());
    let parts: Vec<(&[Attribute], &Fields)> = match &input.data {
        Data::Enum(data) => {
            Rules::read(&input.attrs, false)?.all_met()?;
            data.variants.iter().map(|v| (&*v.attrs, &v.fields)).collect()
        }
        Data::Struct(data) => vec![(&input.attrs, &data.fields)],
        Data::Union(_) => return Err(Error::new(name.span(), "`Open` is for enums and structs")),
    };
    let mut types = Vec::new();
    for (attributes, fields) in parts {
        let mut rules = Rules::read(attributes, false)?;
        for (member, field) in fields.members().zip(fields) {
            if rules.of_field(&member, field)?.hidden.is_some() {
                return Err(Error::new_spanned(
                    field,
                    "nothing of a type that is `Open` is hidden",
                ));
            }
            types.push(&field.ty);
        }
        rules.all_met()?;
    }
    Ok(quote! {
        #[automatically_derived]
        impl #generics ::kernel::Open for #name #arguments #bounds {}

        const _: () = {
            const fn open<T: ::kernel::Open>() {}
            #(open::<#types>();)*
        };
    })
}

/// The code for one variant, or for a struct.
struct Arms {
    /// Its fields in the declaration of the view.
    declared: TokenStream,
    /// From the original to the view.
    seen: TokenStream,
    /// From the original to its disclosure.
    disclosure: TokenStream,
    /// From the original to whether every viewer gets all of it as it is.
    open: TokenStream,
}

fn expand(input: &DeriveInput, is_fact: bool) -> Result<TokenStream, Error> {
    let (name, public) = (&input.ident, &input.vis);
    let of = Of::read(input)?;
    let (position, bounds) = (&of.position, of.view.is_none());
    let view = of.view.clone().unwrap_or_else(|| format_ident!("{name}View"));
    let (keyword, arms) = match &input.data {
        Data::Enum(data) if is_fact => {
            let rules = Rules::read(&input.attrs, true)?;
            if !rules.news.is_empty() {
                let reason = "it is a variant or a field that is `news`: mark each";
                return Err(Error::new(name.span(), reason));
            }
            rules.all_met()?;
            let arms = data.variants.iter().map(|variant| {
                let (docs, path) = (kept(&variant.attrs), &variant.ident);
                let arms = arms(
                    (name, &view),
                    &quote!(::#path),
                    &variant.attrs,
                    &variant.fields,
                    (true, bounds),
                )?;
                let declared = &arms.declared;
                Ok(Arms { declared: quote!(#(#docs)* #path #declared,), ..arms })
            });
            (quote!(enum), arms.collect::<Result<Vec<Arms>, Error>>()?)
        }
        Data::Struct(data) if !is_fact => {
            let arms = arms((name, &view), &quote!(), &input.attrs, &data.fields, (false, bounds))?;
            (quote!(struct), vec![arms])
        }
        Data::Enum(_) | Data::Struct(_) | Data::Union(_) => {
            return Err(Error::new(name.span(), "`Fact` is for enums, `Secret` for structs"));
        }
    };
    let declared = arms.iter().map(|arms| &arms.declared);
    let declared = if is_fact { quote!({ #(#declared)* }) } else { quote!(#(#declared)*) };
    let seen = arms.iter().map(|arms| &arms.seen);
    let json = input.attrs.iter().filter(|attribute| attribute.path().is_ident("serde"));
    let json = json.map(lenient).collect::<Result<Vec<TokenStream>, Error>>()?;
    let doc = of.doc.as_ref().map_or_else(
        || format!("What a viewer gets of a [`{name}`]: made from its declaration."),
        LitStr::value,
    );
    let fact = is_fact.then(|| {
        let disclosure = arms.iter().map(|arms| &arms.disclosure);
        let open = arms.iter().map(|arms| &arms.open);
        quote! {
            #[automatically_derived]
            impl ::kernel::Fact for #name {
                fn disclosure(&self) -> ::kernel::Disclosure {
                    match self { #(#disclosure)* }
                }

                fn is_open(&self) -> bool {
                    match self { #(#open)* }
                }
            }
        }
    });
    Ok(quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, ::serde::Serialize, ::serde::Deserialize, ::utoipa::ToSchema)]
        #(#[serde(#json)])*
        #public #keyword #view #declared

        #[automatically_derived]
        impl ::kernel::Secret for #name {
            type Position = #position;
            type Seen = #view;

            fn seen(&self, position: &#position, viewer: ::kernel::Viewer) -> #view {
                let _ = (position, viewer);
                match self { #(#seen)* }
            }
        }

        #fact
    })
}

fn arms(
    (name, view): (&Ident, &Ident),
    path: &TokenStream,
    attributes: &[Attribute],
    fields: &Fields,
    (of_event, bounds): (bool, bool),
) -> Result<Arms, Error> {
    let mut rules = Rules::read(attributes, of_event)?;
    let mut told: Vec<TokenStream> = rules.news.iter().map(News::level).collect();
    let (mut declared, mut bound, mut seen, mut asked) = (vec![], vec![], vec![], vec![]);
    let mut open = true;
    for (number, (member, field)) in fields.members().zip(fields).enumerate() {
        let value = format_ident!("field_{number}");
        let ruled = rules.of_field(&member, field)?;
        for news in &ruled.news {
            let level = news.level();
            told.push(match &news.when {
                None => level,
                Some(when) => {
                    asked.push(quote!(#member: #value));
                    quote!(if (#when)(#value) { #level } else { ::kernel::Disclosure::Nothing })
                }
            });
        }
        open &= ruled.hidden.is_none();
        open &= ruled.open.as_ref().is_none_or(|open| open.seen.is_none());
        let shown = match ruled.hidden.as_ref().map(|hidden| &hidden.how) {
            None => match ruled.open.as_ref().and_then(|open| open.seen.as_ref()) {
                None => quote!(::kernel::open(#value)),
                Some((_, by)) => quote!((#by)(::kernel::open(#value))),
            },
            Some(How::Owner(owner)) => {
                let number = fields.members().position(|member| is(&member, owner));
                let number = number.ok_or_else(|| Error::new(owner.span(), "no such field"))?;
                let owner = format_ident!("field_{number}");
                quote!(viewer.is(*#owner).then(|| ::core::clone::Clone::clone(#value)))
            }
            Some(How::Unless(sees)) => {
                quote!((#sees)(self, viewer).then(|| ::core::clone::Clone::clone(#value)))
            }
            Some(How::As(_)) => quote!(::kernel::Secret::seen(#value, position, viewer)),
        };
        declared.push(in_view(field, ruled, bounds)?);
        bound.push(quote!(#member: #value));
        seen.push(quote!(#member: #shown));
    }
    rules.all_met()?;
    let declared = match fields {
        Fields::Named(_) => quote!({ #(#declared),* }),
        Fields::Unnamed(_) => quote!((#(#declared),*)),
        Fields::Unit => quote!(),
    };
    let told = told.into_iter().reduce(|one, next| quote!(::core::cmp::Ord::max(#one, #next)));
    let told = told.unwrap_or_else(|| quote!(::kernel::Disclosure::Nothing));
    Ok(Arms {
        declared,
        seen: quote!(#name #path { #(#bound),* } => #view #path { #(#seen),* },),
        disclosure: quote!(#name #path { #(#asked,)* .. } => #told,),
        open: quote!(#name #path { .. } => #open,),
    })
}

/// A field as the view declares it: an open one as it is, a hidden one with what viewers get.
fn in_view(field: &Field, ruled: Ruled, bounds: bool) -> Result<TokenStream, Error> {
    let (public, name, colon) = (&field.vis, &field.ident, field.colon_token);
    let docs = field.attrs.iter().filter(|attribute| attribute.path().is_ident("doc"));
    let (how, doc) = match ruled.hidden {
        Some(Hidden { how, doc }) => (Some(how), doc),
        None => match ruled.open {
            Some(Open { seen: Some((seen, _)), doc }) => (Some(How::As(Box::new(seen))), Some(doc)),
            Some(Open { seen: None, doc }) => (None, Some(doc)),
            None => (None, None),
        },
    };
    let docs = match doc {
        Some(doc) => quote!(#[doc = #doc]),
        None => quote!(#(#docs)*),
    };
    let renamed = if how.is_some() { renamed(field)? } else { Vec::new() };
    Ok(match how {
        None => {
            let json = field.attrs.iter().filter(|attribute| attribute.path().is_ident("serde"));
            let schema = field.attrs.iter().filter(|attribute| attribute.path().is_ident("schema"));
            let schema = schema.map(|attribute| match bounds {
                true => Ok(quote!(#attribute)),
                false => unbounded(attribute),
            });
            let (schema, plain) = (schema.collect::<Result<Vec<_>, Error>>()?, &field.ty);
            quote!(#docs #(#json)* #(#schema)* #public #name #colon #plain)
        }
        Some(How::Owner(_) | How::Unless(_)) => {
            let plain = &field.ty;
            quote!(#docs #(#[serde(#renamed)])* #[schema(required = true)] #public #name #colon ::core::option::Option<#plain>)
        }
        Some(How::As(seen)) => quote!(#docs #(#[serde(#renamed)])* #public #name #colon #seen),
    })
}

/// What serde is told of a field that holds as well for what viewers get in its place: its name. How it is read is its own affair; what else
/// there is could mean something else for another type.
fn renamed(field: &Field) -> Result<Vec<Meta>, Error> {
    let mut kept = Vec::new();
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        for said in attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)? {
            let is = |name: &&str| said.path().is_ident(name);
            if is(&"rename") {
                kept.push(said);
            } else if !["default", "deserialize_with"].iter().any(is) {
                let reason = "what viewers get in place of this field would not have this";
                return Err(Error::new_spanned(said, reason));
            }
        }
    }
    Ok(kept)
}

/// How the JSON is written, without the refusal of unknown fields: what is read of a view may come from another edition.
fn lenient(attribute: &Attribute) -> Result<TokenStream, Error> {
    let said = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?;
    let kept = said.iter().filter(|meta| !meta.path().is_ident("deny_unknown_fields"));
    Ok(quote!(#(#kept),*))
}

/// The attributes that the view has too.
fn kept(attributes: &[Attribute]) -> Vec<&Attribute> {
    let is_kept = |attribute: &&Attribute| {
        ["doc", "serde", "schema"].iter().any(|name| attribute.path().is_ident(name))
    };
    attributes.iter().filter(is_kept).collect()
}
